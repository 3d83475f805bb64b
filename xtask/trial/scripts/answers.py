import mido
from collections import defaultdict

m = mido.MidiFile("waltz.mid")
tempos = []
for t in m.tracks:
    tick = 0
    for x in t:
        tick += x.time
        if x.type == "set_tempo":
            tempos.append((tick, x.tempo))
tempos.sort()

def seconds(tick):
    total, last, tempo = 0.0, 0, 500000
    for at, new in tempos:
        if at > tick:
            break
        total += mido.tick2second(at - last, m.ticks_per_beat, tempo)
        last, tempo = at, new
    return total + mido.tick2second(tick - last, m.ticks_per_beat, tempo)

for t in m.tracks:
    tick, count, high, end = 0, 0, 0, 0
    for x in t:
        tick += x.time
        if x.type == "note_on" and x.velocity > 0:
            count += 1
            high = max(high, x.note)
        elif x.type in ("note_on", "note_off"):
            end = tick
    if count:
        print(t.name, count, high, round(seconds(end), 2))
