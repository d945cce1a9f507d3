import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import modbusSerial from 'modbus-serial'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { point } from '../areas/configuration/points/contract.ts'
import { demoPlant } from '../contract/demo-plant.ts'
import type { DemoPoint } from '../contract/demo-points.ts'
import { schemas } from '../contract/resource.ts'
import { startPlant } from './plant.ts'
import { fromWords, toWords, width } from './registers.ts'
import { signals } from './signals.ts'

// modbus-serial is a client we did not write: what it reads is what any gateway would.
const Client = modbusSerial.default

let plant: Awaited<ReturnType<typeof startPlant>>
const clients: InstanceType<typeof Client>[] = []
const connect = async (device: string) => {
  const index = demoPlant.findIndex((d) => d.DeviceName === device)
  const client = new Client()
  await client.connectTCP('127.0.0.1', { port: plant.ports[index]! })
  client.setID(demoPlant[index]!.SlaveNumber)
  client.setTimeout(2000)
  clients.push(client)
  return { client, points: new Map(demoPlant[index]!.Points.map((p) => [p.ParaName, p])) }
}

beforeAll(async () => {
  plant = await startPlant({ port: 0, seed: 4 })
})
afterAll(async () => {
  for (const client of clients) client.close(() => {})
  await plant.close()
})

test('the table has 18 devices and 243 points that the point table accepts, and each is moved by something', async () => {
  const { Compile } = await import('typebox/compile')
  const check = Compile(schemas(point as never).draft)
  const rows = demoPlant.flatMap((d) => d.Points.map((p) => ({ ...p, DeviceId: 1 })))
  expect(demoPlant.length).toBe(18)
  expect(rows.length).toBe(243)
  for (const row of rows) expect([row.ParaName, check.Errors(row)]).toEqual([row.ParaName, []])
  for (const d of demoPlant) {
    expect([...signals(d.DeviceName).keys()].sort()).toEqual(d.Points.map((p) => p.ParaName).sort())
    expect(d.Points.filter((p) => p.IsChartShow === 2).length).toBeLessThanOrEqual(7)
  }
  expect(new Set(rows.map((r) => r.ParaDataType)).size).toBe(17)
})

test('no two points of a device share a register', () => {
  for (const d of demoPlant) {
    const taken = new Set<string>()
    for (const p of d.Points)
      for (let i = 0; i < (p.Address.includes('.') ? 1 : width(p)); i++) {
        const key = p.Address.includes('.') ? p.Address : `${p.RegisterType}/${Number(p.Address) + i}`
        expect(taken.has(key)).toBe(false)
        taken.add(key)
      }
  }
})

test('registers read back as the value they show, to the step of their type', () => {
  for (const p of demoPlant.flatMap((d) => d.Points).filter((x) => x.ParaDataType !== 0)) {
    const low = p.AxisMin ?? 0
    const high = p.AxisMax ?? 1000
    for (const share of [0, 0.25, 0.5, 1]) {
      const value = low + (high - low) * share
      expect(Math.abs(fromWords(p, toWords(p, value)) - value)).toBeLessThanOrEqual((high - low) / 1000 + 1)
    }
  }
})

const float = async (client: InstanceType<typeof Client>, p: DemoPoint) => {
  const { data } = await client.readInputRegisters(Number(p.Address), width(p))
  return fromWords(p, data)
}

test('a Modbus client reads every value, and refused addresses are exception 2', async () => {
  const { client, points } = await connect('Cold room')
  expect(await float(client, points.get('Air temperature')!)).toBeCloseTo(plant.world.coldRoom.air, 0)
  await expect(client.readInputRegisters(5000, 1)).rejects.toMatchObject({ modbusCode: 2 })
  await expect(client.readCoils(77, 1)).rejects.toMatchObject({ modbusCode: 2 })
})

test('coils and set points act on the plant, and impossible ones are exception 3', async () => {
  const { client, points } = await connect('Cold room')
  await client.writeCoil(Number(points.get('Door command')!.Address), true)
  expect(plant.world.coldRoom.isDoorOpen).toBe(true)
  const set = points.get('Temperature set point')!
  await client.writeRegister(Number(set.Address), toWords(set, -12.5)[0]!)
  expect(plant.world.coldRoom.setPoint).toBeCloseTo(-12.5)
  await expect(client.writeRegister(Number(set.Address), toWords(set, 400)[0]!)).rejects.toMatchObject({ modbusCode: 3 })
  const basin = await connect('Settling basin')
  const dose = basin.points.get('Coagulant dose set point')!
  await basin.client.writeRegisters(Number(dose.Address), toWords(dose, 41.5))
  expect(plant.world.treatment.coagulant.dose).toBeCloseTo(41.5)
  await expect(basin.client.writeRegister(Number(dose.Address), 7)).rejects.toMatchObject({ modbusCode: 3 })
})

test('a device that has lost its connection says nothing, and answers when it has it again', async () => {
  const { client, points } = await connect('Weather station')
  const index = demoPlant.findIndex((d) => d.DeviceName === 'Weather station')
  client.setTimeout(100)
  plant.world.silent.add(index)
  await expect(float(client, points.get('Wind speed')!)).rejects.toThrow(/timed out/i)
  plant.world.silent.delete(index)
  client.setTimeout(2000)
  expect(await float(client, points.get('Air pressure')!)).toBeCloseTo(plant.world.weather.pressure, -1)
})

test('a device whose port is taken is left out and named; the others answer', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const taken: [string, number][] = []
  const second = await startPlant({ port: port - 1, onTaken: (...of) => taken.push(of) })
  try {
    // Another program of this machine may have one of the others.
    expect(taken).toContainEqual([demoPlant[1]!.DeviceName, port])
    const names = new Set(taken.map(([name]) => name))
    expect(second.ports.map((p) => p > 0)).toEqual(demoPlant.map(({ DeviceName }) => !names.has(DeviceName)))
  } finally {
    await second.close()
    other.close()
  }
})

test('a port that is taken is named, with the setting that helps', async () => {
  await expect(startPlant({ port: plant.ports[0]! })).rejects.toThrow(/Port \d+ is taken.*PLANT_PORT/)
})
