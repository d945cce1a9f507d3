import { approach, clamp, type Random } from './random.ts'

/** A frozen store of about 60 m³. Temperatures in °C, powers in kW. */
export const newColdRoom = () => ({
  air: -19.5,
  product: -19.2,
  evaporator: -24,
  condenser: 32,
  humidity: 72,
  setPoint: -20,
  hysteresis: 3,
  isDoorOpen: false,
  doorOpenSeconds: 0,
  isCompressorOn: false,
  isDefrosting: false,
  defrostSeconds: 0,
  /** s of compressor time since the last defrost; ice grows with it. */
  iceSeconds: 5000,
  current: 0,
  power: 0,
  energyKwh: 0,
  hours: 0,
})
export type ColdRoom = ReturnType<typeof newColdRoom>

/** kJ/K: air and fittings, which follow quickly; the goods, which do not. */
const airCapacity = 150
const productCapacity = 4000
/** kW/K: walls; open door; air to goods. */
const wall = 0.03
const door = 0.28
const exchange = 0.2
const fan = 0.4
export const defrostEvery = 10_800
const defrostFor = 240

/** kW that compressor, fan and defrost heater take. */
export const drawOf = ({ power, isDefrosting }: ColdRoom) => power + (isDefrosting ? 0 : fan)

/** Thermostat with hysteresis around the set point; defrost by compressor time or command. */
const control = (room: ColdRoom, dt: number) => {
  if (room.isDefrosting) {
    room.defrostSeconds += dt
    if (room.defrostSeconds >= defrostFor) {
      room.isDefrosting = false
      room.iceSeconds = 0
    }
  } else if (room.iceSeconds >= defrostEvery) room.isDefrosting = true
  if (!room.isDefrosting) room.defrostSeconds = 0
  if (room.isDefrosting || room.air <= room.setPoint - room.hysteresis / 2) room.isCompressorOn = false
  else if (room.air >= room.setPoint + room.hysteresis / 2) room.isCompressorOn = true
}

/** Heat balance of the air: walls, door, goods and fan against what the evaporator takes away. */
export const stepColdRoom = (room: ColdRoom, outside: number, dt: number, random: Random) => {
  control(room, dt)
  const ice = clamp(room.iceSeconds / defrostEvery, 0, 1)
  const target = room.isDefrosting ? 8 : room.isCompressorOn ? room.air - 7 - 3 * ice : room.air
  room.evaporator = approach(room.evaporator, target, dt, room.isDefrosting ? 40 : 20)
  const cooling = Math.max(0, (room.air - room.evaporator) * (room.isCompressorOn ? 0.75 - 0.2 * ice : 0))
  const warming = room.isDefrosting ? Math.max(0, room.evaporator - room.air) * 0.03 : 0
  const gain = (wall + (room.isDoorOpen ? door : 0)) * (outside - room.air) + (room.isDefrosting ? 0 : fan) + warming
  const toProduct = exchange * (room.air - room.product)
  room.air += ((gain - cooling - toProduct) * dt) / airCapacity
  room.product += (toProduct * dt) / productCapacity
  room.condenser = approach(room.condenser, outside + (room.isCompressorOn ? 12 : 2), dt, 60)
  room.humidity = clamp(approach(room.humidity, room.isDoorOpen ? 95 : 72 - 8 * (room.isCompressorOn ? 1 : 0), dt, 120), 0, 100)
  room.power = room.isCompressorOn ? 3.2 + 0.06 * (room.condenser - 20) + 0.03 * random() : room.isDefrosting ? 4 : 0
  room.current = (room.power * 1000) / (Math.sqrt(3) * 400 * 0.82)
  room.energyKwh += (drawOf(room) * dt) / 3600
  room.doorOpenSeconds = room.isDoorOpen ? room.doorOpenSeconds + dt : 0
  if (!room.isCompressorOn) return
  room.iceSeconds += dt * (room.isDoorOpen ? 2 : 1)
  room.hours += dt / 3600
}

/** Saturation pressure of the refrigerant (R449A, straight line between tabulated points), bar. */
export const saturation = (temperature: number) => 6.0 * Math.exp(0.0305 * temperature)
