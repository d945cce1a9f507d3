import { chance, day } from './conditions.ts'
import type { World } from './world.ts'

type Kind = { name: string; seconds: [least: number, most: number]; begin(w: World, pick: number): void; end(w: World, pick: number): void }

/** What goes wrong in a water works, for how long, and how it shows. `pick` chooses among like things. */
const kinds: Kind[] = [
  {
    name: 'an intake pump trips',
    seconds: [300, 1200],
    begin: (w, pick) => {
      w.water.intake[pick % 2]!.isTripped = true
    },
    end: (w, pick) => {
      w.water.intake[pick % 2]!.isTripped = false
    },
  },
  {
    name: 'a delivery pump trips',
    seconds: [300, 1200],
    begin: (w, pick) => {
      w.water.delivery[pick % 3]!.isTripped = true
    },
    end: (w, pick) => {
      w.water.delivery[pick % 3]!.isTripped = false
    },
  },
  {
    name: 'a bearing runs dry',
    seconds: [900, 2400],
    begin: (w, pick) => {
      w.water.delivery[pick % 3]!.wear = 0.9
    },
    end: (w, pick) => {
      w.water.delivery[pick % 3]!.wear = 0
    },
  },
  {
    name: 'the turbidity sensor drifts',
    seconds: [600, 1800],
    begin: (w) => {
      w.treatment.sensorDrift = 30
    },
    end: (w) => {
      w.treatment.sensorDrift = 0
    },
  },
  {
    name: 'the dosing pump has an airlock',
    seconds: [600, 1500],
    begin: (w) => {
      w.treatment.chlorine.isAirlocked = true
    },
    end: (w) => {
      w.treatment.chlorine.isAirlocked = false
    },
  },
  {
    name: 'chlorine leaks',
    seconds: [150, 400],
    begin: (w) => {
      w.treatment.chlorine.leak = 1.4
    },
    end: (w) => {
      w.treatment.chlorine.leak = 0
    },
  },
  {
    name: 'two lamps fail',
    seconds: [1200, 3600],
    begin: (w, pick) => {
      w.treatment.uv.lamps[pick % 4] = false
      w.treatment.uv.lamps[(pick + 1) % 4] = false
    },
    end: (w) => {
      w.treatment.uv.lamps.fill(true)
    },
  },
  {
    name: 'the door of the cold room is left open',
    seconds: [180, 480],
    begin: (w) => {
      w.coldRoom.isDoorOpen = true
    },
    end: (w) => {
      w.coldRoom.isDoorOpen = false
    },
  },
  {
    name: 'the grid sags',
    seconds: [80, 200],
    begin: (w) => {
      w.intakeMeter.sag = 26
      w.deliveryMeter.sag = 26
    },
    end: (w) => {
      w.intakeMeter.sag = 0
      w.deliveryMeter.sag = 0
    },
  },
  {
    name: 'a device does not answer',
    seconds: [60, 240],
    begin: (w, pick) => {
      w.silent.add(pick % w.devices)
    },
    end: (w, pick) => {
      w.silent.delete(pick % w.devices)
    },
  },
]

export type Fault = { name: string; pick: number /** Epoch s. */; start: number; end: number }

/** A handful of faults a day, always the same ones on the same day (counted from 1970). */
export const faultsOf = (epochDay: number): Fault[] =>
  Array.from({ length: 2 + Math.floor(chance(20, epochDay) * 4) }, (_, i) => {
    const at = (series: number) => chance(series, epochDay * 8 + i)
    const { name, seconds } = kinds[Math.floor(at(21) * kinds.length)]!
    const start = Math.floor(epochDay * day + at(22) * (day - 3600))
    return { name, pick: Math.floor(at(23) * 12), start, end: Math.ceil(start + seconds[0] + at(24) * (seconds[1] - seconds[0])) }
  }).filter((fault, i, all) => !all.slice(0, i).some((f) => f.name === fault.name))

let today = { day: -1, faults: [] as Fault[] }
/** Faults of the day begin and end by the clock; those that somebody's clock has skipped are not made up for. */
export const stepFaults = (w: World) => {
  const epochDay = Math.floor(w.seconds / day)
  if (today.day !== epochDay) today = { day: epochDay, faults: faultsOf(epochDay) }
  for (const fault of w.faults)
    if (w.seconds >= fault.end || w.seconds < fault.start) {
      w.faults = w.faults.filter((f) => f !== fault)
      kinds.find((k) => k.name === fault.name)!.end(w, fault.pick)
    }
  for (const fault of today.faults) {
    if (w.seconds < fault.start || w.seconds >= fault.end || w.faults.some((f) => f.name === fault.name)) continue
    w.faults.push(fault)
    kinds.find((k) => k.name === fault.name)!.begin(w, fault.pick)
  }
}
