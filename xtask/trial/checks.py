"""Checks what a task left behind, with mido and lxml alone: `checks.py NAME FOLDER`, what was said on standard input."""

import os
import re
import sys

import mido
from lxml import etree

name, folder = sys.argv[1:3]
said = sys.stdin.read()
os.chdir(folder)
BAR = 3 * 480


def notes(path, skip=()):
    found = []
    for t in mido.MidiFile(path).tracks:
        tick, open_notes = 0, {}
        if t.name in skip:
            continue
        for x in t:
            tick += x.time
            if x.type == "note_on" and x.velocity > 0:
                open_notes.setdefault((x.channel, x.note), []).append((tick, x.velocity))
            elif x.type in ("note_on", "note_off") and open_notes.get((x.channel, x.note)):
                start, velocity = open_notes[x.channel, x.note].pop(0)
                found.append((t.name, x.channel, x.note, start, tick - start, velocity))
    return sorted(found)


def others(path, skip=()):
    found = []
    for t in mido.MidiFile(path).tracks:
        tick = 0
        if t.name in skip:
            continue
        for x in t:
            tick += x.time
            if x.type not in ("note_on", "note_off", "end_of_track"):
                found.append((t.name, tick, str(x.copy(time=0))))
    return sorted(found)


def accents():
    want = []
    for track, ch, pitch, at, dur, vel in notes("waltz.mid"):
        if track == "Piano" and at % BAR == 0:
            vel = min(127, vel + 15)
        elif ch == 9 and pitch == 42:
            vel = int(vel * 0.8 + 0.5)
        want.append((track, ch, pitch, at, dur, vel))
    near = lambda a, b: a[:5] == b[:5] and abs(a[5] - b[5]) <= (1 if a[1] == 9 else 0)
    got = notes("out.mid")
    return len(got) == len(want) and all(map(near, got, sorted(want))) and others("out.mid") == others("waltz.mid")


def new_bar():
    moved = lambda at: at + BAR if at >= 8 * BAR else at
    want = sorted((t, c, p, moved(a), d, v) for t, c, p, a, d, v in notes("waltz.mid"))
    held = [n for n in notes("waltz.mid") if n[3] < 8 * BAR < n[3] + n[4]]
    return not held and notes("out.mid") == want


def strings():
    chords = [(67, 71, 74), (66, 69, 74), (67, 72, 76), (66, 69, 74)]
    want = sorted(("Strings", 2, p, i * BAR, BAR, 60) for i, chord in enumerate(chords) for p in chord)
    own = [n for n in notes("out.mid") if n[0] == "Strings"]
    program = [o for o in others("out.mid") if o[0] == "Strings" and "program=48" in o[2]]
    rest = ("Strings",)
    return own == want and bool(program) and notes("out.mid", rest) == notes("waltz.mid") and others("out.mid", rest) == others("waltz.mid")


def answers():
    song = mido.MidiFile("waltz.mid")
    assert len([x for t in song.tracks for x in t if x.type == "set_tempo"]) <= 1
    tempo = next((x.tempo for t in song.tracks for x in t if x.type == "set_tempo"), 500000)
    for track in {n[0] for n in notes("waltz.mid")}:
        own = [n for n in notes("waltz.mid") if n[0] == track]
        end = mido.tick2second(max(n[3] + n[4] for n in own), song.ticks_per_beat, tempo)
        wanted = {float(len(own)), float(max(n[2] for n in own)), round(end, 2)}
        lines = (line for line in said.splitlines() if re.search(rf"\b{track}\b", line))
        if not any(wanted <= {float(n) for n in re.findall(r"\d+(?:\.\d+)?", line)} for line in lines):
            return False
    return True


def facts(path, change=lambda text: text):
    root = etree.parse(path).getroot()
    rows = []
    for e in root.iter():
        if isinstance(e.tag, str):
            rows.append((e.tag, sorted((k, change(v)) for k, v in e.attrib.items()), change(e.text or "").strip()))
    return rows


def recolour():
    teal = lambda text: text.replace("#cc0000", "#008080")
    return facts("out.svg") == facts("network.svg", teal) and "#cc0000" not in open("out.svg").read()


def rename():
    ids = [e.get("id") for e in etree.parse("network.svg").iter() if isinstance(e.tag, str) and e.get("id")]
    out = etree.parse("out.svg")
    new = [e.get("id") for e in out.iter() if isinstance(e.tag, str) and e.get("id")]
    text = open("out.svg").read()
    refs = re.findall(r'(?:url\(#|href="#)([\w-]+)', text)
    return (
        new == ["net-" + name for name in ids]
        and all(ref in new for ref in refs)
        and len(refs) == 5
        and "#net-legend text" in text
        and text.count("#cc0000") == open("network.svg").read().count("#cc0000")
    )


def extend():
    old = facts("sales.svg")
    new = facts("out.svg")
    number = lambda e, key: float(e.get(key))
    root = etree.parse("out.svg").getroot()
    find = lambda name: next((e for e in root.iter() if isinstance(e.tag, str) and e.get("id") == name), None)
    for n, value in [(5, 64), (6, 49), (7, 80)]:
        bar, tag = find(f"bar{n}"), find(f"tag{n}")
        if bar is None or tag is None or bar.getparent().get("id") != "bars" or tag.getparent().get("id") != "tags":
            return False
        x = 60 + 70 * (n - 1)
        box = [number(bar, key) for key in ("x", "y", "width", "height")]
        if box != [x, 260 - 2 * value, 50, 2 * value] or bar.get("class") != "bar":
            return False
        if (number(tag, "x"), number(tag, "y"), tag.text, tag.get("class")) != (x + 25, 276, f"Q{n}", "tag"):
            return False
    return [f for f in new if f in old] == old and len(new) == len(old) + 6


def names():
    new = {"Harbour": "Hafen", "Market": "Markt", "Old Town": "Altstadt", "Museum": "Museumsinsel"}
    want = facts("network.svg", lambda text: new.get(text, text))
    return facts("out.svg") == want


print("solved" if globals()[name]() else "not solved")
