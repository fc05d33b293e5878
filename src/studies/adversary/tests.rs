use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::draw::Draw;
use super::moves::change;
use super::*;

fn small() -> Settings {
    Settings { jobs: 5, most_processors: 8, most_length: 4, ..Settings::default() }
}

#[test]
fn changes_keep_the_limits() {
    let one = Settings { jobs: 1, most_processors: 1, most_length: 1, ..small() };
    let all = [small(), Settings { releases: true, clusters: 3, jobs: 9, ..small() }, one];
    for settings in &all {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut draw = Draw { settings, rng: &mut rng };
        let mut instance = draw.instance();
        for _ in 0..5000 {
            let Instance { clusters, tasks } = &instance;
            assert_eq!(clusters.len(), settings.clusters);
            assert!(clusters.is_sorted());
            assert!(clusters.iter().all(|m| (1..=settings.most_processors).contains(m)));
            assert!((1..=settings.jobs).contains(&tasks.len()));
            assert!(tasks.is_sorted_by_key(|task| task.release));
            let most = Span::units(settings.most_length.into());
            for task in tasks {
                assert!((1..=clusters[clusters.len() - 1]).contains(&task.processors));
                assert!((settings.tiny..=most).contains(&task.length));
                let latest = if settings.releases { most } else { Span::ZERO };
                assert!((Span::ZERO..=latest).contains(&(task.release - Time::ZERO)));
            }
            instance = change(&mut draw, &instance);
        }
    }
}
