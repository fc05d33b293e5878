//! The program as its users meet it: command line, book, crashes; and the rules of the house.

mod book;
mod cli;
mod shapes;
mod survival;
mod tidy;
