"""Notes and events of a song, as mido reads them.

Pairs, bars, beats and seconds are worked out here, from the messages alone and by nothing that the project wrote.
"""

import io
from collections import defaultdict, deque

import mido


def tracks_of(song):
    for track in song.tracks:
        tick, seats, rows = 0, defaultdict(int), []
        for message in track:
            tick += message.time
            seats[tick] += 1
            rows.append((tick, seats[tick], message))
        yield rows


def seconds_by(rows, ppqn):
    changes = sorted(
        ((tick, at, m.tempo) for at, (tick, _, m) in enumerate(rows) if m.type == "set_tempo"),
        key=lambda change: change[:2],
    )

    def seconds(tick):
        total, last, tempo = 0.0, 0, 500000
        for at, _, next_tempo in changes:
            if at > tick:
                break
            total += (at - last) * tempo / ppqn / 1e6
            last, tempo = at, next_tempo
        return total + (tick - last) * tempo / ppqn / 1e6

    return seconds


def bars_by(rows, ppqn):
    changes = {0: (4, 4)}
    for tick, _, m in sorted(((r[0], i, r[2]) for i, r in enumerate(rows)), key=lambda r: r[:2]):
        if m.type == "time_signature":
            changes[tick] = (m.numerator, m.denominator)
    spans, bar = [], 1
    ticks = sorted(changes)
    for at, start in enumerate(ticks):
        num, den = changes[start]
        beat = ppqn * 4 / den
        spans.append((start, bar, beat, num))
        if at + 1 < len(ticks) and beat * num > 0:
            length = beat * num
            bar += -int(-(ticks[at + 1] - start) // length)

    def place(tick):
        start, bar, beat, num = [span for span in spans if span[0] <= tick][-1]
        if beat * num <= 0:
            return None
        whole = (tick - start) // (beat * num)
        into = (tick - start) - whole * beat * num
        return [int(bar + whole), int(into // beat) + 1, int(into % beat)]

    return place


def key_of(name):
    return name[:-1] + "-minor" if name.endswith("m") else name + "-major"


TEXTS = {
    "text": "text",
    "copyright": "copyright",
    "track_name": "track-name",
    "instrument_name": "instrument",
    "lyrics": "lyric",
    "marker": "marker",
    "cue_marker": "cue",
    "device_name": "device",
}


def event(m):
    """Kind, channel, number, value, pitch, text or bytes."""
    kind = m.type
    if kind == "control_change":
        return ["cc", m.channel + 1, m.control, m.value, None, None]
    if kind == "program_change":
        return ["program", m.channel + 1, None, m.program, None, None]
    if kind == "pitchwheel":
        return ["bend", m.channel + 1, None, m.pitch, None, None]
    if kind == "aftertouch":
        return ["touch", m.channel + 1, None, m.value, None, None]
    if kind == "polytouch":
        return ["keytouch", m.channel + 1, None, m.value, m.note, None]
    if kind == "set_tempo":
        return ["tempo", None, m.tempo, None, None, None]
    if kind == "time_signature":
        return ["meter", None, None, None, None, f"{m.numerator}/{m.denominator}"]
    if kind == "key_signature":
        return ["key", None, None, None, None, key_of(m.key)]
    if kind in TEXTS:
        words = m.name if hasattr(m, "name") else m.text
        return [TEXTS[kind], None, None, None, None, words.encode("latin1").hex()]
    return None


def read_song(data):
    """The rows of notes and those of events."""
    song = mido.MidiFile(file=io.BytesIO(data), clip=True)
    ppqn = song.ticks_per_beat
    if not 0 < ppqn < 32768:
        raise ValueError("it counts frames")
    tracks = list(tracks_of(song))
    merged = [row for rows in tracks for row in rows]
    notes, events = [], []
    for rows in tracks:
        own = rows if song.type == 2 else merged
        seconds, place = seconds_by(own, ppqn), bars_by(own, ppqn)
        open_notes = defaultdict(deque)
        for tick, nth, m in rows:
            if m.type == "note_on" and m.velocity > 0:
                note = [m.channel + 1, m.note, tick, None, m.velocity, None, place(tick), nth, seconds(tick), None]
                notes.append(note)
                open_notes[m.channel, m.note].append(note)
            elif m.type in ("note_on", "note_off"):
                waiting = open_notes[m.channel, m.note]
                if waiting:
                    note = waiting.popleft()
                    note[3] = tick - note[2]
                    note[5] = m.velocity if m.type == "note_off" else 64
                    note[9] = seconds(tick)
            elif m.type != "end_of_track":
                told = event(m)
                if told:
                    events.append(told + [tick, place(tick), nth, seconds(tick)])
    return [notes, events]
