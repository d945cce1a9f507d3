import type { Random } from './random.ts'
import type { World } from './world.ts'

type Kind = { name: string; seconds: [least: number, most: number]; begin(w: World, pick: number): void; end(w: World, pick: number): void }

/** What goes wrong in a water works, for how long, and how it shows. `pick` chooses among like things. */
const kinds: Kind[] = [
  {
    name: 'an intake pump trips',
    seconds: [40, 90],
    begin: (w, pick) => {
      w.water.intake[pick % 2]!.isTripped = true
    },
    end: (w, pick) => {
      w.water.intake[pick % 2]!.isTripped = false
    },
  },
  {
    name: 'a delivery pump trips',
    seconds: [40, 90],
    begin: (w, pick) => {
      w.water.delivery[pick % 3]!.isTripped = true
    },
    end: (w, pick) => {
      w.water.delivery[pick % 3]!.isTripped = false
    },
  },
  {
    name: 'a bearing runs dry',
    seconds: [120, 240],
    begin: (w, pick) => {
      w.water.delivery[pick % 3]!.wear = 0.9
    },
    end: (w, pick) => {
      w.water.delivery[pick % 3]!.wear = 0
    },
  },
  {
    name: 'the turbidity sensor drifts',
    seconds: [60, 150],
    begin: (w) => {
      w.treatment.sensorDrift = 30
    },
    end: (w) => {
      w.treatment.sensorDrift = 0
    },
  },
  {
    name: 'the dosing pump has an airlock',
    seconds: [120, 240],
    begin: (w) => {
      w.treatment.chlorine.isAirlocked = true
    },
    end: (w) => {
      w.treatment.chlorine.isAirlocked = false
    },
  },
  {
    name: 'chlorine leaks',
    seconds: [30, 60],
    begin: (w) => {
      w.treatment.chlorine.leak = 1.4
    },
    end: (w) => {
      w.treatment.chlorine.leak = 0
    },
  },
  {
    name: 'two lamps fail',
    seconds: [60, 150],
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
    seconds: [90, 200],
    begin: (w) => {
      w.coldRoom.isDoorOpen = true
    },
    end: (w) => {
      w.coldRoom.isDoorOpen = false
    },
  },
  {
    name: 'the grid sags',
    seconds: [10, 30],
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
    seconds: [45, 60],
    begin: (w, pick) => {
      w.silent.add(pick % w.devices)
    },
    end: (w, pick) => {
      w.silent.delete(pick % w.devices)
    },
  },
]

/** s between two faults on average. */
const meanGap = 100

/** Faults begin by chance and clear by themselves; no more than three at a time. */
export const stepFaults = (w: World, dt: number, random: Random) => {
  for (const fault of [...w.faults]) {
    fault.seconds -= dt
    if (fault.seconds > 0) continue
    w.faults.splice(w.faults.indexOf(fault), 1)
    kinds.find((k) => k.name === fault.name)?.end(w, fault.pick)
  }
  if (random() >= dt / meanGap || w.faults.length >= 3) return
  const kind = kinds[Math.floor(random() * kinds.length)]!
  if (w.faults.some((f) => f.name === kind.name)) return
  const [least, most] = kind.seconds
  const fault = { name: kind.name, pick: Math.floor(random() * 12), seconds: least + random() * (most - least) }
  w.faults.push(fault)
  kind.begin(w, fault.pick)
}
