# A scheduler for gridpact, as a program of its own: first come, first served.
#
#     julia -e 'using Pkg; Pkg.add("JSON")'
#     gridpact new process-scheduler --language julia > mine.jl
#
# and in the scenario, beside this file:
#
#     scheduler.process = { command = ["julia", "mine.jl"] }
#
# Each line of input is a question, each line of output its answer. Whatever else is printed belongs on
# stderr: println(stderr, ...).

using JSON

"The scheduler of one cluster."
struct Fcfs
    waiting::Vector{Any}
end

function decide(scheduler::Fcfs, question)
    for event in question["events"]
        # {"submit": {"job": 0, "submit": 5000000, "processors": 4, ...}}
        haskey(event, "submit") && push!(scheduler.waiting, event["submit"])
        # {"finish": {"job": 0}} tells that a job has ended. There are a few more.
    end
    free = question["free"]
    start = Int[]
    while !isempty(scheduler.waiting) && scheduler.waiting[1]["processors"] <= free
        job = popfirst!(scheduler.waiting)
        free -= job["processors"]
        push!(start, job["job"])
    end
    return Dict("start" => start)
end

schedulers = Dict{Int,Fcfs}()
for line in eachline(stdin)
    message = JSON.parse(line)
    if haskey(message, "hello")
        # Random numbers come from message["seed"].
        schedulers[message["to"]] = Fcfs([])
        answer = Dict("hello" => 1)
    else
        answer = decide(schedulers[message["to"]], message["decide"])
    end
    println(JSON.json(answer))
    flush(stdout)
end
