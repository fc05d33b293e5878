//! Tests packing and paging at every line and in every form.

use std::collections::BTreeMap;

use super::*;

/// Pages in memory.
#[derive(Clone, Debug, Default, PartialEq)]
struct Shelf {
    pages: BTreeMap<u64, Vec<u8>>,
    open: Option<u64>,
}

impl Pages for Shelf {
    type Again = io::Cursor<Vec<u8>>;

    fn begin(&mut self, page: u64) -> io::Result<()> {
        assert_eq!(self.open, None, "the page before was not ended");
        self.pages.insert(page, Vec::new());
        self.open = Some(page);
        Ok(())
    }
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let page = self.open.expect("a page is open");
        self.pages.get_mut(&page).unwrap().extend_from_slice(bytes);
        Ok(())
    }
    fn end(&mut self) -> io::Result<()> {
        self.open.take().expect("a page is open");
        Ok(())
    }
    fn again(&mut self, page: u64) -> io::Result<Self::Again> {
        let bytes = self.pages.get(&page).ok_or(io::ErrorKind::NotFound)?;
        Ok(io::Cursor::new(bytes.clone()))
    }
    fn go_on(&mut self, page: u64, length: u64) -> io::Result<()> {
        let bytes = self.pages.get_mut(&page).ok_or(io::ErrorKind::NotFound)?;
        bytes.truncate(length as usize);
        self.pages.retain(|&one, _| one <= page);
        self.open = Some(page);
        Ok(())
    }
}

const HEADER: &[u8] = b"number,square,name\n";

/// Lines of all lengths, some of which fill a block by themselves.
fn lines(number: u64) -> impl Iterator<Item = Vec<u8>> {
    (0..number).map(|at| {
        let name = "x".repeat(if at % 97 == 96 { 70_000 } else { (at * at % 61) as usize });
        format!("{at},{},{name}\n", at * at).into_bytes()
    })
}

const FORMS: [Form; 5] = [
    Form { rotate: None, compress: false },
    Form { rotate: None, compress: true },
    Form { rotate: Some(100), compress: false },
    Form { rotate: Some(100), compress: true },
    Form { rotate: Some(1), compress: true },
];

fn fresh(form: Form, shelf: Shelf) -> Packed<Shelf> {
    Packed::new(shelf, form, HEADER.to_vec())
}

fn written(form: Form, number: u64) -> (Shelf, Vec<Whole>) {
    let mut packed = fresh(form, Shelf::default());
    packed.begin().unwrap();
    lines(number).for_each(|line| packed.write_all(&line).unwrap());
    let (shelf, whole, _) = packed.finish().unwrap();
    (shelf, whole)
}

fn unpacked(form: Form, bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    match form.compress {
        true => MultiGzDecoder::new(bytes).read_to_end(&mut text).unwrap(),
        false => (&mut &*bytes).read_to_end(&mut text).unwrap(),
    };
    text
}

#[test]
fn every_form_has_the_same_lines() {
    for number in [0, 1, 99, 100, 101, 350] {
        let all: Vec<u8> = lines(number).flatten().collect();
        for form in FORMS {
            let (shelf, whole) = written(form, number);
            let pages = form.rotate.map_or(1, |rotate| number.div_ceil(rotate).max(1));
            assert_eq!(shelf.pages.len() as u64, pages, "{number} lines, {form:?}");
            assert_eq!(whole.len() as u64, pages);
            let mut found = Vec::new();
            for (bytes, whole) in shelf.pages.values().zip(whole) {
                let text = unpacked(form, bytes);
                assert_eq!(whole.length, bytes.len() as u64);
                assert_eq!(whole.digest, *blake3::hash(&text).as_bytes());
                found.extend_from_slice(text.strip_prefix(HEADER).expect("a page has a header"));
            }
            assert!(found == all, "{number} lines, {form:?}");
        }
    }
}

#[test]
fn lines_have_the_same_bytes_however_many_come_at_once() {
    const LINES: u64 = 3000;
    for form in FORMS {
        let one_by_one = written(form, LINES);
        for at_once in [2, 3, 100, 101, 1000] {
            let mut packed = fresh(form, Shelf::default());
            packed.begin().unwrap();
            let all: Vec<_> = lines(LINES).collect();
            for some in all.chunks(at_once) {
                let mut batch = Batch::default();
                some.iter().for_each(|line| batch.put_bytes(line));
                packed.lines(&batch).unwrap();
            }
            let (shelf, whole, _) = packed.finish().unwrap();
            assert!((shelf, whole) == one_by_one, "{form:?}, {at_once} at once");
        }
    }
}

#[test]
fn a_line_that_fills_a_block_to_its_end_closes_it() {
    let form = Form { rotate: None, compress: true };
    let lines = [vec![b'x'; BLOCK - HEADER.len()], b"short\n".to_vec(), b"short\n".to_vec()];
    let mut batch = Batch::default();
    lines.iter().for_each(|line| batch.put_bytes(line));
    let [mut one_by_one, mut at_once] = [(); 2].map(|()| fresh(form, Shelf::default()));
    one_by_one.begin().unwrap();
    lines.iter().for_each(|line| one_by_one.line(line).unwrap());
    at_once.begin().unwrap();
    at_once.lines(&batch).unwrap();
    assert_eq!(at_once.mark().block, b"short\nshort\n");
    assert!(at_once.finish().unwrap().0 == one_by_one.finish().unwrap().0);
}

#[test]
fn flushing_and_going_on_at_every_line_leave_the_same_bytes() {
    const LINES: u64 = 205;
    for form in FORMS {
        let unbroken = written(form, LINES);
        let mut packed = fresh(form, Shelf::default());
        packed.begin().unwrap();
        for line in lines(LINES) {
            let mark = packed.mark();
            // Lines written after the mark are discarded.
            let mut later = packed;
            for _ in 0..3 {
                later.line(&[b'y'; 40_000]).unwrap();
            }
            packed = fresh(form, Shelf { open: None, ..later.pages });
            assert!(packed.go_on(mark.clone()).unwrap());
            assert!(packed.mark() == mark, "{form:?}");
            packed.flush().unwrap();
            packed.line(&line).unwrap();
        }
        let (shelf, whole, hasher) = packed.finish().unwrap();
        assert_eq!(whole.last().unwrap().digest, *hasher.finalize().as_bytes());
        assert!((shelf, whole) == unbroken, "{form:?}");
    }
}

#[test]
fn pages_that_were_changed_are_refused() {
    for form in FORMS {
        let mut packed = fresh(form, Shelf::default());
        packed.begin().unwrap();
        lines(100).for_each(|line| packed.line(&line).unwrap());
        let mark = packed.mark();
        let shelf = Shelf { open: None, ..packed.pages };
        let goes_on = |shelf: Shelf| fresh(form, shelf).go_on(mark.clone()).unwrap();
        assert!(goes_on(shelf.clone()));
        for page in shelf.pages.keys().copied().filter(|page| page % 40 == 0) {
            let length = shelf.pages[&page].len();
            let mut cut = shelf.clone();
            cut.pages.get_mut(&page).unwrap().truncate(length - 1);
            assert!(!goes_on(cut), "{form:?}");
            // In the middle, and in the member's header, whose time field means nothing.
            for at in [length / 2, 5] {
                let mut flipped = shelf.clone();
                flipped.pages.get_mut(&page).unwrap()[at] ^= 4;
                assert!(!goes_on(flipped), "{form:?}, byte {at}");
            }
            // Data after the mark is cut off; a complete page must have no data after it.
            let mut longer = shelf.clone();
            longer.pages.get_mut(&page).unwrap().extend_from_slice(b"1,1,x\n");
            let is_open = page == mark.whole.len() as u64;
            assert_eq!(goes_on(longer), is_open, "{form:?}, page {page}");
        }
        let mut gone = shelf.clone();
        gone.pages.remove(&0);
        assert!(!goes_on(gone), "{form:?}");
    }
}
