//! A value that a thread of its own works on, where there is one to spare.

use std::panic;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread::{Builder, JoinHandle};

/// Number of tasks that wait for the thread; who adds one more waits for it.
const MOST_WAITING: usize = 4;

/// A value, and a thread that works on it in the order of the tasks.
///
/// The value is in one place at a time: here, or with the thread. Without a thread, tasks are done at
/// once. A panic of a task goes on in whoever gives the next one or takes the value back. Dropping the
/// worker ends the thread after the tasks given to it.
#[derive(Debug)]
pub(super) struct Worker<T> {
    /// `None` while the thread has it.
    value: Option<Box<T>>,
    has_thread: bool,
    /// Begins with the first task.
    thread: Option<Thread<T>>,
}

impl<T: Send + 'static> Worker<T> {
    /// A worker on a value; without a thread unless there is one to spare.
    pub(super) fn new(value: T, has_thread: bool) -> Worker<T> {
        Worker { value: Some(Box::new(value)), has_thread, thread: None }
    }

    /// True if tasks are given to a thread.
    pub(super) fn has_thread(&self) -> bool {
        self.has_thread
    }

    /// Does a task after all earlier ones, perhaps later.
    pub(super) fn later(&mut self, task: impl FnOnce(&mut T) + Send + 'static) {
        if self.has_thread && self.thread.is_none() {
            self.thread = Thread::begin();
            // If the system has no more threads, it works without one.
            self.has_thread = self.thread.is_some();
        }
        if !self.has_thread {
            return task(self.here());
        }
        if let Some(value) = self.value.take() {
            self.order(Order::Take(value));
        }
        self.order(Order::Do(Box::new(task)));
    }

    /// The value after all tasks.
    pub(super) fn here(&mut self) -> &mut T {
        if self.value.is_none() {
            self.order(Order::GiveBack);
            let back = self.thread.as_ref().and_then(|thread| thread.back.recv().ok());
            self.value = Some(back.unwrap_or_else(|| self.fail()));
        }
        self.value.as_mut().expect("the thread gave it back")
    }

    /// The value after all tasks; the thread has ended.
    pub(super) fn into_inner(mut self) -> T {
        self.here();
        *self.value.take().expect("the thread gave it back")
    }

    fn order(&mut self, order: Order<T>) {
        let orders = self.thread.as_ref().and_then(|thread| thread.orders.as_ref());
        if orders.is_none_or(|orders| orders.send(order).is_err()) {
            self.fail();
        }
    }

    /// Continues the panic of the thread.
    #[cold]
    fn fail(&mut self) -> ! {
        match self.thread.take().and_then(|mut thread| thread.end().err()) {
            Some(panic) => panic::resume_unwind(panic),
            None => panic!("a thread ended before its tasks"),
        }
    }
}

/// An order to the thread.
enum Order<T> {
    Take(Box<T>),
    Do(Box<dyn FnOnce(&mut T) + Send>),
    GiveBack,
}

/// A thread; it ends once there are no more orders.
#[derive(Debug)]
struct Thread<T> {
    orders: Option<SyncSender<Order<T>>>,
    back: Receiver<Box<T>>,
    handle: Option<JoinHandle<()>>,
}

impl<T: Send + 'static> Thread<T> {
    /// Begins a thread, if the system has one.
    fn begin() -> Option<Thread<T>> {
        let (orders, received) = mpsc::sync_channel(MOST_WAITING);
        let (give_back, back) = mpsc::channel();
        let builder = Builder::new().name("records".to_owned());
        let handle = builder.spawn(move || obey(&received, &give_back)).ok()?;
        Some(Thread { orders: Some(orders), back, handle: Some(handle) })
    }
}

impl<T> Thread<T> {
    /// Waits for the end of the thread.
    fn end(&mut self) -> std::thread::Result<()> {
        self.orders = None;
        self.handle.take().map_or(Ok(()), JoinHandle::join)
    }
}

/// No task is left when the worker is gone, so its files may be used by others.
impl<T> Drop for Thread<T> {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Does what is ordered.
fn obey<T>(orders: &Receiver<Order<T>>, give_back: &Sender<Box<T>>) {
    let mut held = None;
    for order in orders {
        match order {
            Order::Take(value) => held = Some(value),
            Order::Do(task) => task(held.as_mut().expect("the value came before the task")),
            Order::GiveBack => {
                // Nobody waits for it if the worker is being dropped.
                let _ = give_back.send(held.take().expect("the value is here"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn tasks_are_done_in_their_order_before_the_value_is_back() {
        for has_thread in [false, true] {
            let mut worker = Worker::new(Vec::new(), has_thread);
            for number in 0..1000 {
                worker.later(move |done| done.push(number));
                if number % 97 == 0 {
                    assert_eq!(worker.here().len(), number + 1);
                }
            }
            assert_eq!(worker.into_inner(), (0..1000).collect::<Vec<_>>());
        }
    }

    #[test]
    fn only_a_spare_thread_is_used() {
        for has_thread in [false, true] {
            let mut worker = Worker::new(thread::current().id(), has_thread);
            worker.later(|id| *id = thread::current().id());
            assert_eq!(worker.into_inner() != thread::current().id(), has_thread);
        }
    }

    #[test]
    fn a_dropped_worker_ends_its_thread() {
        let done = Arc::new(AtomicUsize::new(0));
        let mut worker = Worker::new((), true);
        for _ in 0..3 {
            let done = Arc::clone(&done);
            worker.later(move |()| {
                thread::sleep(std::time::Duration::from_millis(10));
                done.fetch_add(1, Ordering::Relaxed);
            });
        }
        drop(worker);
        assert_eq!(done.load(Ordering::Relaxed), 3);
        assert_eq!(Arc::strong_count(&done), 1);
    }

    #[test]
    fn a_panic_goes_on_in_the_next_call() {
        let told = |call: fn(&mut Worker<u32>)| {
            let mut worker = Worker::new(0, true);
            worker.later(|_| panic!("of a task"));
            let caught = panic::catch_unwind(panic::AssertUnwindSafe(|| call(&mut worker)));
            *caught.unwrap_err().downcast::<&str>().unwrap()
        };
        let here = |worker: &mut Worker<u32>| {
            worker.here();
        };
        assert_eq!(told(here), "of a task");
        // The channel has room for some tasks before one is refused.
        assert_eq!(told(|worker| (0..100).for_each(|_| worker.later(|_| {}))), "of a task");
    }
}
