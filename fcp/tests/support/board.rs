//! The board for the runtime's tests: lanes of cards, people who own them, links between them.
#![allow(
    dead_code,
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "only tests use it, and none all"
)]

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The mark of a card.
#[derive(
    FcpValue, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema,
)]
pub enum Color {
    #[default]
    White,
    #[fcp(alias = "crimson")]
    Red,
    LightBlue,
}

/// A column of cards.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Lane {
    /// Its name.
    #[fcp(label)]
    pub name: Name,
}

/// Somebody who owns cards.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(plural = "people")]
pub struct Person {
    /// Their name.
    #[fcp(label)]
    pub name: Name,
}

/// Something to do.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Card {
    /// Its name.
    #[fcp(label)]
    pub name: Name,
    /// The lane it is in.
    #[fcp(parent, selector, key = "in")]
    pub lane: Id<Lane>,
    /// The amount of work.
    #[fcp(selector = "range", alias = "points", default = Int::clamped(1))]
    pub pts: Int<1, 100>,
    /// Its mark.
    #[fcp(selector, default = Color::White)]
    pub color: Color,
    /// The day of the year it is for.
    #[fcp(position, selector = "range")]
    pub day: Option<Int<1, 365>>,
    /// Who does it.
    #[fcp(selector)]
    pub owner: Option<Id<Person>>,
    /// Anything else.
    pub note: Option<Text>,
}

/// A remark on a card, or on the board.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Remark {
    /// Its text.
    pub text: Text,
    /// The card it is on.
    #[fcp(parent, key = "on")]
    pub card: Option<Id<Card>>,
}

/// One card waits for another.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Link {
    /// The card that comes first.
    pub from: Id<Card>,
    /// The card that waits.
    pub to: Id<Card>,
}

/// A board.
#[derive(FcpModel)]
#[fcp(domain = "board", title = "Boards of cards")]
pub struct Board {
    #[fcp(count = "l")]
    pub lanes: Table<Lane>,
    #[fcp(count = "c")]
    pub cards: Table<Card>,
    pub people: Table<Person>,
    pub remarks: Table<Remark>,
    pub links: Table<Link>,
    pub title: Slot<String>,
    #[fcp(view)]
    pub zoom: Slot<u8>,
}

/// A board as stored in its file: references are indices into the lists.
#[derive(Serialize, Deserialize)]
struct File {
    title: String,
    lanes: Vec<Name>,
    people: Vec<Name>,
    cards: Vec<FileCard>,
    remarks: Vec<(Text, Option<usize>)>,
    links: Vec<(usize, usize)>,
}

/// Name, lane, points, color, day, owner, note.
type FileCard = (
    Name,
    usize,
    i64,
    Color,
    Option<Int<1, 365>>,
    Option<usize>,
    Option<Text>,
);

fn place<T: Entity>(table: &Table<T>, id: Id<T>) -> usize {
    table.iter().position(|(own, _)| own == id).unwrap()
}

impl Domain for Board {
    const NOUN: &'static str = "board";

    const FORMATS: &'static [Format] = &[
        Format {
            name: "board",
            extensions: &["board"],
            doc: "everything",
        },
        Format {
            name: "outline",
            extensions: &["txt", "outline"],
            doc: "names of cards",
        },
    ];

    const WORKFLOW: &'static str =
        "! new \"Plan\"\nadd lane Todo\nadd card Paint in:Todo\n! save as:./plan.board\n";

    fn read(bytes: &[u8], name: &str) -> Result<Self> {
        let file: File = serde_json::from_slice(bytes)
            .map_err(|error| Diagnostic::new(format!("{name} is not a board: {error}")))?;
        let mut board = Self::default();
        board.title.set(file.title);
        let lanes: Vec<_> = file
            .lanes
            .into_iter()
            .map(|name| board.lanes.insert(Lane { name }))
            .collect();
        let people: Vec<_> = file
            .people
            .into_iter()
            .map(|name| board.people.insert(Person { name }))
            .collect();
        let mut cards = Vec::new();
        for (name, lane, pts, color, day, owner, note) in file.cards {
            cards.push(board.cards.insert(Card {
                name,
                lane: lanes[lane],
                pts: Int::clamped(pts),
                color,
                day,
                owner: owner.map(|at| people[at]),
                note,
            }));
        }
        for (text, card) in file.remarks {
            let card = card.map(|at| cards[at]);
            board.remarks.insert(Remark { text, card });
        }
        for (from, to) in file.links {
            board.links.insert(Link {
                from: cards[from],
                to: cards[to],
            });
        }
        Ok(board)
    }

    fn write(&self, format: &str, out: &mut Pieces) -> Result<()> {
        if format == "outline" {
            let names = self
                .cards
                .iter()
                .map(|(_, card)| format!("{}\n", card.name));
            out.rest(names.collect::<String>());
            return Ok(());
        }
        let cards = self.cards.iter().map(|(_, card)| {
            (
                card.name.clone(),
                place(&self.lanes, card.lane),
                card.pts.get(),
                card.color,
                card.day,
                card.owner.map(|id| place(&self.people, id)),
                card.note.clone(),
            )
        });
        let file = File {
            title: self.title.get().clone(),
            lanes: self
                .lanes
                .iter()
                .map(|(_, lane)| lane.name.clone())
                .collect(),
            people: self
                .people
                .iter()
                .map(|(_, one)| one.name.clone())
                .collect(),
            cards: cards.collect(),
            remarks: self
                .remarks
                .iter()
                .map(|(_, r)| (r.text.clone(), r.card.map(|id| place(&self.cards, id))))
                .collect(),
            links: self
                .links
                .iter()
                .map(|(_, l)| (place(&self.cards, l.from), place(&self.cards, l.to)))
                .collect(),
        };
        let file = serde_json::to_vec(&file);
        out.rest(file.map_err(|error| Diagnostic::new(error.to_string()))?);
        Ok(())
    }

    fn title(&self) -> Option<String> {
        Some(self.title.get().clone()).filter(|title| !title.is_empty())
    }

    fn creation_op(&self, kind: &str, name: &str) -> Option<String> {
        (kind == "person").then(|| format!("add person {}", fcp::op::quote(name)))
    }
}

/// Start a board.
///
/// ```fcp
/// ! new "Plan" lanes:2
/// > + New board "Plan" 2 lanes, 0 cards, 0 people, 0 remarks, 0 links
/// ! new lanes:99
/// > ! lanes:99 is above 9
/// >   try: new lanes:9
/// ```
#[fcp_action]
pub fn new(
    /// Its title.
    #[fcp(positional)]
    title: Option<Text>,
    /// The number of lanes.
    #[fcp(default = Int::clamped(0))]
    lanes: Int<0, 9>,
) -> Result<Board> {
    let mut board = Board::default();
    board
        .title
        .set(title.map_or(String::new(), |title| title.to_string()));
    for n in 1..=lanes.get() {
        let name = Name::parse(&format!("Lane {n}")).expect("a name");
        board.lanes.insert(Lane { name });
    }
    Ok(board)
}

/// Take in cards, one a name.
///
/// ```fcp
/// ! import a,b
/// > + 2 cards
/// ```
#[fcp_action]
pub fn import(
    board: &mut Board,
    /// The names.
    #[fcp(positional)]
    names: List<Name>,
) -> Result<Reply> {
    let first = board.lanes.iter().next().map(|(id, _)| id);
    let lane = match first {
        Some(id) => id,
        None => board.lanes.insert(Lane {
            name: Name::parse("Inbox").expect("a name"),
        }),
    };
    let n = names.iter().count();
    for name in names {
        board.cards.insert(card(name, lane, 1));
    }
    Ok(created!("{n} cards"))
}

/// Give the names of cards in capitals.
#[fcp_action]
pub fn shout(board: &Board) -> Result<Vec<u8>> {
    let names = board
        .cards
        .iter()
        .map(|(_, card)| card.name.to_string().to_uppercase());
    Ok(names.collect::<Vec<_>>().join("\n").into_bytes())
}

fn card(name: Name, lane: Id<Lane>, pts: i64) -> Card {
    Card {
        name,
        lane,
        pts: Int::clamped(pts),
        color: Color::White,
        day: None,
        owner: None,
        note: None,
    }
}

/// Make one card wait for another.
///
/// ```fcp
/// # add lane Todo
/// # add card Paint in:Todo
/// # add card Hang in:Todo
/// link Paint Hang
/// > ~ Paint -> Hang
/// ```
#[fcp_verb(category = "Cards")]
pub fn link(
    board: &mut Board,
    /// The card that comes first.
    #[fcp(positional)]
    from: Ref<Card>,
    /// The card that waits.
    #[fcp(positional)]
    to: Ref<Card>,
) -> Result<Reply> {
    let name = |id| board.cards.need(id).map(|card| card.name.to_string());
    let reply = linked!("{} -> {}", name(from.id())?, name(to.id())?);
    board.links.insert(Link {
        from: from.id(),
        to: to.id(),
    });
    Ok(reply)
}

/// Take links away: both ends of a link are cards, and either stands for it.
///
/// ```fcp
/// # add lane Todo
/// # add card Paint in:Todo
/// # add card Hang in:Todo
/// # add card Clean in:Todo
/// # link Paint Hang
/// # link Hang Clean
/// unlink Hang
/// > - 2 links
/// ```
#[fcp_verb(category = "Cards", deletes)]
pub fn unlink(
    board: &mut Board,
    /// The links.
    links: Selection<Link>,
) -> Result<Reply> {
    for id in links.iter() {
        board.links.remove(id);
    }
    Ok(removed!("{}", Link::SHAPE.count(links.len())))
}

/// Throw cards away, and what hangs on them.
///
/// ```fcp
/// # add lane Todo
/// # add card Paint in:Todo
/// discard Paint
/// > - 1 card
/// ```
#[fcp_verb(category = "Cards", deletes)]
pub fn discard(
    board: &mut Board,
    /// The cards.
    cards: Selection<Card>,
) -> Result<Reply> {
    let n = cards.len();
    let links: Vec<_> = board
        .links
        .iter()
        .filter(|(_, link)| cards.iter().any(|id| id == link.from || id == link.to))
        .map(|(id, _)| id)
        .collect();
    let remarks: Vec<_> = board
        .remarks
        .iter()
        .filter(|(_, r)| cards.iter().any(|id| Some(id) == r.card))
        .map(|(id, _)| id)
        .collect();
    for id in links {
        board.links.remove(id);
    }
    for id in remarks {
        board.remarks.remove(id);
    }
    for id in cards.iter() {
        board.cards.remove(id);
    }
    Ok(removed!("{}", Card::SHAPE.count(n)))
}

/// Put many cards into a lane.
///
/// ```fcp
/// # add lane Todo
/// fill Todo 3
/// > @ 3 copies of c: c1, c2, c3
/// ```
#[fcp_verb(category = "Cards")]
pub fn fill(
    board: &mut Board,
    /// The lane.
    #[fcp(positional)]
    lane: Ref<Lane>,
    /// The number.
    #[fcp(positional)]
    n: Int<1, 5000>,
) -> Result<Reply> {
    let mut names = Vec::new();
    for n in 1..=n.get() {
        let name = Name::parse(&format!("c{n}")).expect("a name");
        names.push(name.to_string());
        board.cards.insert(card(name, lane.id(), 1));
    }
    names.truncate(3);
    Ok(bulk!("{} copies of c: {}", n.get(), names.join(", ")))
}

/// Say what the board is called.
///
/// ```fcp
/// title "My plan"
/// > * title "My plan"
/// ```
#[fcp_verb(category = "Board")]
pub fn title(
    board: &mut Board,
    /// The title.
    #[fcp(positional)]
    text: Text,
) -> Result<Reply> {
    board.title.set(text.to_string());
    Ok(changed!("title \"{text}\""))
}

/// Look closer.
///
/// ```fcp
/// zoom 3
/// > @ zoom 3
/// ```
#[fcp_verb(category = "Board")]
pub fn zoom(
    board: &mut Board,
    /// The scale.
    #[fcp(positional)]
    level: u8,
) -> Result<Reply> {
    board.zoom.set(level);
    Ok(bulk!("zoom {level}"))
}

/// Fail after changing all there is.
///
/// ```fcp
/// break
/// > ! it broke
/// >   syntax: break
/// ```
#[fcp_verb(category = "Board")]
pub fn r#break(board: &mut Board) -> Result<Reply> {
    let ids: Vec<_> = board.cards.iter().map(|(id, _)| id).collect();
    for id in ids {
        board.cards.remove(id);
    }
    board.lanes.insert(Lane {
        name: Name::parse("Broken").expect("a name"),
    });
    board.title.set("broken".to_owned());
    board.zoom.set(77);
    bail!("it broke")
}

/// Look and change nothing.
///
/// ```fcp
/// gaze
/// > = 0 cards
/// ```
#[fcp_verb(category = "Board")]
pub fn gaze(board: &mut Board) -> Result<Reply> {
    Ok(unchanged!("{}", Card::SHAPE.count(board.cards.len())))
}

/// Sum the points of cards.
///
/// ```fcp
/// # add lane Todo
/// # add card Paint in:Todo pts:5
/// ? load Todo
/// > Todo: 5
/// ```
#[fcp_query]
pub fn load(
    board: &Board,
    /// The lane.
    #[fcp(positional)]
    lane: Ref<Lane>,
    /// Cards of this color alone.
    only: Option<Color>,
) -> Result<String> {
    let cards = board
        .cards
        .iter()
        .filter(|(_, card)| card.lane == lane.id());
    let sum: i64 = cards
        .filter(|(_, card)| only.is_none_or(|color| card.color == color))
        .map(|(_, card)| card.pts.get())
        .sum();
    Ok(format!("{}: {sum}", board.lanes.need(lane.id())?.name))
}

/// Cards of at least so many points.
#[fcp_selector]
pub fn heavy(board: &Board, least: Option<Int<1, 100>>) -> Pick<'_> {
    let least = least.map_or(50, Int::get);
    Pick::test(move |row| {
        row.part() == <Board as HasTable<Card>>::PART
            && board
                .cards
                .get(row.of())
                .is_some_and(|card| card.pts.get() >= least)
    })
}

/// A card that is too much for anybody.
#[fcp_lint(weight = 10)]
pub fn huge(_board: &Board, id: Id<Card>, card: &Card) -> Option<String> {
    (card.pts.get() > 90).then(|| format!("{id} {} is huge", card.name))
}

/// A person without a card.
#[fcp_lint]
pub fn idle(board: &Board, id: Id<Person>, person: &Person) -> Option<String> {
    let owns = board.cards.iter().any(|(_, card)| card.owner == Some(id));
    (!owns).then(|| format!("{} owns nothing", person.name))
}
