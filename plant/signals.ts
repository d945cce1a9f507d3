import { vaccineRoom } from '../contract/demo-plant.ts'
import { saturation } from './model/cold-room.ts'
import type { Feeder, Meter } from './model/meter.ts'
import type { Pump } from './model/pump.ts'
import { storeLevel } from './model/store.ts'
import { hypochloriteTank } from './model/treatment.ts'
import { vaccineRoomAt } from './model/vaccine-room.ts'
import { chamberArea, type Filter, towerArea, towerDepth } from './model/water.ts'
import { dewPoint } from './model/weather.ts'
import type { World } from './model/world.ts'

/** What a point shows, in engineering units, and what writing to it does. */
export type Signal = { get(w: World): number | boolean; set?(w: World, value: number): void }
type Get = Signal['get']
type Signals = Record<string, Signal | Get>

const bar = (head: number) => head * 0.0981
const each = (numbers: readonly number[], of: (n: number) => Signals): Signals => Object.assign({}, ...numbers.map(of))

const pump = (n: number, of: (w: World) => Pump): Signals => ({
  [`Pump ${n} command`]: {
    get: (w) => of(w).isOn,
    set: (w, v) => {
      of(w).isOn = v !== 0
    },
  },
  [`Pump ${n} running`]: (w) => of(w).speed > 0.05,
  [`Pump ${n} tripped`]: (w) => of(w).isTripped,
  [`Pump ${n} current`]: (w) => of(w).current,
  [`Pump ${n} bearing temperature`]: (w) => of(w).bearing,
  [`Pump ${n} hours`]: (w) => of(w).hours,
})

const filter = (n: number): Signals => {
  const of = (w: World): Filter => w.water.filters[n - 1]!
  return {
    [`Filter ${n} flow`]: (w) => of(w).flow,
    [`Filter ${n} differential pressure`]: (w) => of(w).pressure,
    [`Filter ${n} level`]: (w) => of(w).level,
    [`Filter ${n} turbidity`]: (w) => of(w).turbidity,
    [`Filter ${n} run time`]: (w) => of(w).runMinutes,
    [`Filter ${n} backwashes`]: (w) => of(w).backwashes,
    [`Filter ${n} backwashing`]: (w) => of(w).backwashSeconds > 0,
    [`Filter ${n} backwash command`]: {
      get: (w) => of(w).isAsked,
      set: (w, v) => {
        of(w).isAsked = v !== 0
      },
    },
  }
}

const meter = (of: (w: World) => Meter): Signals => ({
  ...each([1, 2, 3], (n) => ({ [`Voltage L${n}`]: (w) => of(w).voltages[n - 1]!, [`Current L${n}`]: (w) => of(w).currents[n - 1]! })),
  'Active power': (w) => of(w).active,
  'Reactive power': (w) => of(w).reactive,
  'Apparent power': (w) => of(w).apparent,
  'Power factor': (w) => of(w).factor,
  Frequency: (w) => of(w).frequency,
  'Active energy': (w) => of(w).activeEnergy,
  'Reactive energy': (w) => of(w).reactiveEnergy,
})

const feeder = (of: (w: World) => Feeder, rollsAt = Number.POSITIVE_INFINITY): Signals => ({
  'Active power': (w) => of(w).active,
  'Reactive power': (w) => of(w).reactive,
  'Active energy': (w) => of(w).activeEnergy % rollsAt,
  'Reactive energy': (w) => of(w).reactiveEnergy % rollsAt,
})

const table: Record<string, Signals> = {
  'Raw water intake': {
    'River level': (w) => w.water.riverLevel,
    'Raw water temperature': (w) => w.treatment.temperature,
    'Raw water turbidity': (w) => w.treatment.rawTurbidity + w.treatment.sensorDrift,
    'Raw water flow': (w) => w.water.rawFlow,
    'Raw water total': (w) => w.water.rawTotal,
    ...each([1, 2], (n) => ({
      ...pump(n, (w) => w.water.intake[n - 1]!),
      [`Pump ${n} speed`]: (w) => w.water.intake[n - 1]!.speed * 100,
      [`Pump ${n} speed set point`]: {
        get: (w) => w.water.intake[n - 1]!.speedSet * 100,
        set: (w, v) => {
          w.water.intake[n - 1]!.speedSet = v / 100
        },
      },
    })),
  },
  'Settling basin': {
    'Basin level': (w) => w.water.basinLevel,
    'Basin inflow': (w) => w.water.rawFlow,
    'Basin outflow': (w) => w.water.basinOut,
    'Settled turbidity': (w) => w.treatment.settledTurbidity,
    'Settled pH': (w) => w.treatment.ph,
    'Coagulant tank level': (w) => w.treatment.coagulant.level,
    'Coagulant flow': (w) => w.treatment.coagulant.flow,
    'Mixer current': (w) => w.treatment.mixer.current,
    'Sludge level': (w) => w.treatment.sludge,
    'Coagulant total': (w) => w.treatment.coagulant.total,
    'Coagulant pump running': (w) => w.treatment.coagulant.flow > 0.1,
    'Mixer running': (w) => w.treatment.mixer.isOn,
    'Sludge valve open': (w) => w.treatment.isSludgeValveOpen,
    'Coagulant pump command': {
      get: (w) => w.treatment.coagulant.isOn,
      set: (w, v) => {
        w.treatment.coagulant.isOn = v !== 0
      },
    },
    'Mixer command': {
      get: (w) => w.treatment.mixer.isOn,
      set: (w, v) => {
        w.treatment.mixer.isOn = v !== 0
      },
    },
    'Coagulant dose set point': {
      get: (w) => w.treatment.coagulant.dose,
      set: (w, v) => {
        w.treatment.coagulant.dose = v
      },
    },
  },
  Filters: {
    ...each([1, 2, 3], filter),
    'Backwash pressure set point': {
      get: (w) => w.water.backwashAt,
      set: (w, v) => {
        w.water.backwashAt = v
      },
    },
  },
  'Clear water tank': {
    'Chamber A level': (w) => w.water.chamberA,
    'Chamber B level': (w) => w.water.chamberB,
    'Stored volume': (w) => (w.water.chamberA + w.water.chamberB) * chamberArea,
    'Clear water inflow': (w) => w.water.clearIn,
    'Clear water outflow': (w) => w.water.deliveryFlow,
    'Clear water temperature': (w) => w.treatment.temperature,
    'Clear water pH': (w) => w.treatment.ph + 0.1,
    Conductivity: (w) => w.treatment.conductivity,
    'Low level switch': (w) => Math.min(w.water.chamberA, w.water.chamberB) < 0.6,
    'High level switch': (w) => Math.max(w.water.chamberA, w.water.chamberB) > 3,
    'Clear water total': (w) => w.water.clearTotal,
  },
  'Chlorine dosing': {
    'Free chlorine': (w) => w.treatment.chlorine.residual,
    'Dosing flow': (w) => w.treatment.chlorine.flow,
    'Dosing pump stroke': (w) => w.treatment.chlorine.stroke,
    'Hypochlorite level': (w) => w.treatment.chlorine.level,
    'Hypochlorite weight': (w) => (w.treatment.chlorine.level / 100) * hypochloriteTank * 1.2,
    'Room chlorine gas': (w) => w.treatment.chlorine.gas,
    'Redox potential': (w) => 480 + 240 * Math.sqrt(w.treatment.chlorine.residual),
    'Hypochlorite total': (w) => w.treatment.chlorine.total,
    'Dosing pump running': (w) => w.treatment.chlorine.stroke > 1,
    'Dosing pump airlock': (w) => w.treatment.chlorine.isAirlocked,
    'Ventilation running': (w) => w.treatment.chlorine.isFanOn,
    'Dosing pump command': {
      get: (w) => w.treatment.chlorine.isOn,
      set: (w, v) => {
        w.treatment.chlorine.isOn = v !== 0
      },
    },
    'Free chlorine set point': {
      get: (w) => w.treatment.chlorine.setPoint,
      set: (w, v) => {
        w.treatment.chlorine.setPoint = v
      },
    },
  },
  'UV reactor': {
    'UV intensity': (w) => w.treatment.uv.intensity,
    'UV dose': (w) => (w.treatment.uv.intensity * 1600) / Math.max(220, w.water.clearIn),
    'UV transmittance': (w) => w.treatment.uv.transmittance,
    'Reactor flow': (w) => w.water.clearIn,
    'Reactor power': (w) => w.treatment.uv.power,
    'Sleeve fouling': (w) => w.treatment.uv.fouling,
    'Ballast temperature': (w) => w.treatment.uv.ballast,
    'Reactor temperature': (w) => w.treatment.temperature + 0.6,
    'Lamp hours': (w) => w.treatment.uv.hours,
    ...each([1, 2, 3, 4], (n) => ({ [`Lamp ${n} failed`]: (w) => !w.treatment.uv.lamps[n - 1] })),
    'Reactor on': (w) => w.treatment.uv.power > 0,
    'Reactor command': {
      get: (w) => w.treatment.uv.isOn,
      set: (w, v) => {
        w.treatment.uv.isOn = v !== 0
      },
    },
  },
  'High service pumps': {
    'Header pressure': (w) => bar(w.water.header),
    'Delivery flow': (w) => w.water.deliveryFlow,
    ...each([1, 2, 3], (n) => ({
      ...pump(n, (w) => w.water.delivery[n - 1]!),
      [`Pump ${n} flow`]: (w) => w.water.delivery[n - 1]!.flow,
      [`Pump ${n} power`]: (w) => w.water.delivery[n - 1]!.power,
      [`Pump ${n} speed`]: (w) => w.water.delivery[n - 1]!.speed * 1480,
      [`Pump ${n} vibration`]: (w) => w.water.delivery[n - 1]!.vibration,
    })),
    'Speed set point': {
      get: (w) => w.water.deliverySpeed * 100,
      set: (w, v) => {
        w.water.deliverySpeed = v / 100
      },
    },
  },
  'Outlet and tower': {
    'Outlet flow': (w) => w.water.outletFlow,
    'Outlet pressure': (w) => bar(w.water.header) - 6e-7 * w.water.outletFlow ** 2,
    'Town demand': (w) => w.water.townDemand,
    'Tower level': (w) => w.water.towerLevel,
    'Tower volume': (w) => w.water.towerLevel * towerArea,
    'Tower balance': (w) => w.water.deliveryFlow - w.water.outletFlow,
    'Far end pressure': (w) => bar(30 + w.water.towerLevel) - 2.2e-6 * w.water.outletFlow ** 2,
    'Outlet total': (w) => w.water.outletTotal,
    'Outlet temperature': (w) => w.treatment.temperature + 0.4,
    'Tower high switch': (w) => w.water.towerLevel > towerDepth * 0.92,
    'Outlet valve set point': {
      get: (w) => w.water.valve * 100,
      set: (w, v) => {
        w.water.valve = v / 100
      },
    },
  },
  'Intake power meter': meter((w) => w.intakeMeter),
  'Delivery power meter': meter((w) => w.deliveryMeter),
  'Main incomer meter': meter((w) => w.incomerMeter),
  'Treatment power meter': feeder((w) => w.treatmentMeter, 100_000),
  'Cold store power meter': feeder((w) => w.coldStoreMeter),
  'Building power meter': feeder((w) => w.buildingMeter),
  'Cold room': {
    'Air temperature': (w) => w.coldRoom.air,
    'Product temperature': (w) => w.coldRoom.product,
    'Evaporator temperature': (w) => w.coldRoom.evaporator,
    'Condenser temperature': (w) => w.coldRoom.condenser,
    'Air humidity': (w) => w.coldRoom.humidity,
    'Suction pressure': (w) => saturation(w.coldRoom.evaporator),
    'Discharge pressure': (w) => saturation(w.coldRoom.condenser),
    'Compressor current': (w) => w.coldRoom.current,
    'Door open time': (w) => w.coldRoom.doorOpenSeconds,
    'Compressor energy': (w) => w.coldRoom.energyKwh,
    'Compressor hours': (w) => w.coldRoom.hours,
    'Door open': (w) => w.coldRoom.isDoorOpen,
    'Compressor running': (w) => w.coldRoom.isCompressorOn,
    'Fan running': (w) => !w.coldRoom.isDefrosting,
    Defrosting: (w) => w.coldRoom.isDefrosting,
    'Door command': {
      get: (w) => w.coldRoom.isDoorOpen,
      set: (w, v) => {
        w.coldRoom.isDoorOpen = v !== 0
      },
    },
    'Defrost command': {
      get: (w) => w.coldRoom.isDefrosting,
      set: (w, v) => {
        w.coldRoom.isDefrosting = v !== 0
      },
    },
    'Temperature set point': {
      get: (w) => w.coldRoom.setPoint,
      set: (w, v) => {
        w.coldRoom.setPoint = v
      },
    },
    Hysteresis: {
      get: (w) => w.coldRoom.hysteresis,
      set: (w, v) => {
        w.coldRoom.hysteresis = v
      },
    },
  },
  'Weather station': {
    'Air temperature': (w) => w.weather.temperature,
    'Air humidity': (w) => w.weather.humidity,
    'Air pressure': (w) => w.weather.pressure,
    'Wind speed': (w) => w.weather.wind,
    'Wind gust': (w) => w.weather.gust,
    'Dew point': (w) => dewPoint(w.weather),
    'Wind direction': (w) => w.weather.direction,
    'Rain rate': (w) => w.weather.rain,
    'Solar radiation': (w) => w.weather.radiation,
    'Rain total': (w) => w.weather.rainTotal,
  },
  'Chemical store': {
    'Coagulant store level': (w) => storeLevel('coagulant', w.seconds),
    'Hypochlorite store level': (w) => storeLevel('hypochlorite', w.seconds),
  },
  [vaccineRoom]: {
    ...each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], (n) => ({
      [`Temperature ${n}`]: (w: World) => vaccineRoomAt(w.seconds).temperatures[n - 1]!,
    })),
    'Humidity at the door': (w) => vaccineRoomAt(w.seconds).humidities[0],
    'Humidity at the back': (w) => vaccineRoomAt(w.seconds).humidities[1],
    'Door open': (w) => vaccineRoomAt(w.seconds).isDoorOpen,
    'Power cut': (w) => vaccineRoomAt(w.seconds).isCut,
  },
}

/** Signals of a device by the names of its points. */
export const signals = (device: string): ReadonlyMap<string, Signal> =>
  new Map(Object.entries(table[device] ?? {}).map(([name, s]) => [name, typeof s === 'function' ? { get: s } : s]))
