// Applies a reading to every watch that uses its point.
import { believedAheadMs } from '../../../../../../server/telemetry/sample.ts'
import { extend } from './extreme.ts'
import type { Dependant, WatchEntry } from './places.ts'
import { read, setBack } from './slot.ts'
import { advance, settle, slotCount, tallyOf } from './watch.ts'
import type { RuleEvent, WatchList } from './watchList.ts'

type Reading = { time: number; value: number }

/** Applies a good value at `time`, epoch ms; `now` detects clocks that are ahead. Visits the slots of each watch a constant number of times. */
export const createReader = (list: WatchList) => {
  const { places, cost, turned } = list
  /** The clock of a gateway was too far ahead of `now`, and was set back. */
  const setClockBack = ({ entry, places: own }: Dependant, time: number, now: number) => {
    const ahead = own.filter((place) => place.own.time > time && place.own.time > now + believedAheadMs)
    if (!ahead.length) return false
    places.catchUpAll(entry)
    for (const place of ahead) setBack(place.own, place.own.time - time)
    entry.watch.at = time
    if (Number.isFinite(entry.watch.calm)) entry.watch.calm = Math.min(entry.watch.calm, time)
    turned.add(entry.id)
    list.setDue(entry)
    return true
  }

  /** Applies a reading to all places of a watch; true if that changed more than its newest reading. Visits its slots once. */
  const readInto = (dependant: Dependant, { time, value }: Reading, now: number, events: RuleEvent[]): boolean => {
    const { entry, places: own } = dependant
    const { point } = own[0]!.own
    const { watch } = entry
    cost.steps += own.length
    let isChanged = setClockBack(dependant, time, now)
    if (own.every((place) => time < place.own.time)) return isChanged
    if (entry.due <= time) {
      list.work(entry, events, (turns) => advance(watch, time, turns, cost))
      isChanged = true
    }
    let tally: ReturnType<typeof tallyOf> | undefined
    for (const { index, test, own: slot } of own) {
      if (time < slot.time) continue
      const { met, holds, hits } = slot
      const [count, last] = [hits.length, hits.at(-1)]
      read(slot, test, time, value)
      if (watch.by === point) extend(watch, value)
      watch.at = Math.max(watch.at, time)
      const isSame = slot.met === met && slot.holds === holds && slot.hits.length === count && slot.hits.at(-1) === last
      // A condition that was true stays true.
      if (isSame && !(watch.active && watch.rule.severity.length)) continue
      if (!tally) {
        places.catchUpAll(entry)
        cost.steps += slotCount(watch)
        tally = tallyOf(watch)
      } else if (slot.holds !== holds) tally.turn(index, slot.holds)
      const turn = settle(watch, watch.at, slot, false, tally.truth())
      if (turn) events.push(list.event(entry, turn))
    }
    if (!tally) return isChanged
    list.setDue(entry)
    turned.add(entry.id)
    return true
  }

  return (point: number, reading: Reading, now: number, events: RuleEvent[]) => {
    const changed: WatchEntry[] = []
    for (const dependant of places.at(point)) if (readInto(dependant, reading, now, events)) changed.push(dependant.entry)
    if (changed.length) places.updatePrefilterOfAll(changed, point)
    else places.updatePrefilter(point)
  }
}
