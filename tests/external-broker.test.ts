import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasMosquitto, startMosquitto } from '../main/testing/mosquitto.ts'
import { type House, startHouse, until } from './house.ts'
import { startDevice } from './modbus-device.ts'

const SN = 'OUTSIDE00001'

describe.skipIf(!hasMosquitto)('over somebody else’s broker (skipped without mosquitto)', () => {
  let broker: Awaited<ReturnType<typeof startMosquitto>>
  let house: House
  let device: Awaited<ReturnType<typeof startDevice>>
  let edge: Awaited<ReturnType<House['startEdge']>>
  let plant: Awaited<ReturnType<House['newGateway']>>
  let level: number
  const started = Date.now()

  beforeAll(async () => {
    broker = await startMosquitto({ [SN]: 'its own key', penstock: 'server' }, 'penstock')
    house = await startHouse({ MQTT_URL: `mqtt://penstock:server@127.0.0.1:${broker.port}` })
    device = await startDevice()
    device.setFloat(0, 4.5)
    plant = await house.newGateway(SN, device.port)
    const point = { DeviceId: plant.device, CollectPeriod: 100, ParaName: 'Level', Address: '0', ReadWriteType: 1 }
    level = (await house.data('POST', '/Project/DevPara', point)).Id
    edge = await house.startEdge({ SN, Key: 'its own key' }, { port: broker.port, ackTimeoutMs: 500 })
    await house.online(plant.gateway)
  })
  afterAll(async () => {
    await edge?.close()
    await house?.close()
    await device?.close()
    await broker?.remove()
  })

  const stored = async () => {
    const range = { ParaIds: [level], Start: started, End: Date.now() + 1000, Buckets: 10_000 }
    const { Series } = await house.data<{ Series: { Last: number[] }[] }>('POST', '/DataCenter/ReportData/Data', range)
    return Series[0]?.Last ?? []
  }

  it('a configuration is pushed, readings are stored, a value is written', async () => {
    expect(await house.push(plant.gateway)).toMatchObject({ Code: 0 })
    await until('4.5 in the store', async () => (await stored()).includes(4.5))
    expect(await house.data('POST', '/Project/DevPara/Write', { ParaId: level, Value: 5.5 })).toMatchObject({
      Code: 0,
      Data: { Value: 5.5 },
    })
    await until('5.5 in the store', async () => (await stored()).includes(5.5))
  })

  it('what was read while the broker was away is stored afterwards', async () => {
    await broker.stop()
    await until('the gateway to lose the broker', () => !edge.status().online)
    const before = device.state.reads
    device.setFloat(0, 6.5)
    await until('polls without a broker', () => device.state.reads > before + 5)
    device.setFloat(0, 7.5)
    await broker.restart()
    await until('7.5 in the store', async () => (await stored()).includes(7.5))
    await until('6.5 in the store', async () => (await stored()).includes(6.5))
  })
})
