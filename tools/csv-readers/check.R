# Opens the CSV files of results folders by `read.csv` with its defaults, and compares what R then
# computes of jobs.csv with what organizations.csv says.
#
#     Rscript --vanilla check.R FOLDER [FOLDER ...]

options(warn = 2)
names_of_things <- c(
  "workload_name", "profile", "final_state", "organization", "cluster", "allocated_resources"
)

close_to <- function(found, expected, what) {
  if (is.na(expected)) {
    if (!is.na(found)) stop(what, ": ", found, ", but there is none")
  } else if (abs(found - expected) > 1e-9 * max(1, abs(expected))) {
    stop(what, ": ", format(found, digits = 17), " instead of ", format(expected, digits = 17))
  }
}

for (folder in commandArgs(trailingOnly = TRUE)) {
  jobs <- read.csv(file.path(folder, "jobs.csv"))
  table <- read.csv(file.path(folder, "organizations.csv"))
  for (column in setdiff(names(jobs), c("consumed_energy", "metadata"))) {
    # A text column with only numbers is read as numbers.
    right <- if (column == "allocated_resources") TRUE
      else if (column %in% names_of_things) is.character(jobs[[column]])
      else is.numeric(jobs[[column]])
    if (!right) stop(column, " is read as ", class(jobs[[column]]))
  }
  # R reads a column without any value as logical.
  is_figure <- function(column) is.numeric(column) || all(is.na(column))
  if (!all(sapply(table[-1], is_figure))) stop("organizations.csv: a figure is no number")
  if (anyNA(jobs$organization) || anyNA(table$organization)) stop("a name is missing")
  ended <- jobs[!is.na(jobs$finish_time), ]
  for (name in table$organization) {
    row <- table[table$organization == name, ]
    all <- if (name == "*") jobs else jobs[jobs$organization == name, ]
    own <- if (name == "*") ended else ended[ended$organization == name, ]
    if (nrow(all) != row$submitted || nrow(own) != row$finished) stop(name, ": counts")
    close_to(mean(own$turnaround_time), row$flow_mean, paste(name, "flow"))
    close_to(mean(own$waiting_time), row$wait_mean, paste(name, "wait"))
    if (nrow(own) > 0) {
      last <- tapply(own$finish_time, own$replication, max)
      first <- tapply(all$submission_time, all$replication, min)[names(last)]
      close_to(mean(last - first), row$makespan_mean, paste(name, "makespan"))
    }
  }
  cat(basename(folder), ": ", nrow(jobs), " jobs read alike by R ",
      as.character(getRversion()), "\n", sep = "")
}
