# Compares packed and rotated records with plain ones, as `read.csv` reads them with its defaults.
#
#     Rscript --vanilla packed.R PLAIN PACKED ROTATED

options(warn = 2)
folders <- commandArgs(trailingOnly = TRUE)
plain <- read.csv(file.path(folders[1], "jobs.csv"))
packed <- read.csv(file.path(folders[2], "jobs.csv.gz"))
files <- sort(Sys.glob(file.path(folders[3], "jobs-*.csv.gz")))
rotated <- do.call(rbind, lapply(files, read.csv))
stopifnot(length(files) > 2, identical(plain, packed), identical(plain, rotated))
cat("packed and rotated:", nrow(plain), "jobs read alike by R\n")
