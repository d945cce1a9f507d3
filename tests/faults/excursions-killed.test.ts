// The server is killed between a back-fill and the excursions that it shows: after each kill they are those of the readings, once.
import { expect, test } from 'vitest'
import { openRawGateway } from '../raw-gateway.ts'
import { ownServer } from './own-server.ts'
import { enter, noReadings } from './tally.ts'
import { inTime, pause, rounds } from './tiers.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const kills = rounds(3, 12)
const own = ownServer()
const wall = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ')

type Excursion = { Begin: number; End: number | null; Peak: number }

test('excursions of a back-fill that is followed by a kill are those of its readings, each once', inTime(kills), async ({ task }) => {
  const { door } = own
  const gateway = await door.newGateway('COLDKILLS1', 1)
  const { Id: ParaId } = await door.data<{ Id: number }>('POST', '/Project/DevPara', {
    ...{ DeviceId: gateway.device, ParaName: 'Air', ParaUnitName: '°C', Address: '0', UploadMode: 3, UploadPeriod: 60 },
  })
  const { Id } = await door.data<{ Id: number }>('POST', '/ColdStorage/InfoPC', {
    ...{ StorageName: 'Killed', ProjectId: gateway.project, TempLow: 2, TempHigh: 8 },
  })
  const start = Math.floor(Date.now() / day) * day - 40 * day
  const Sensors = [{ ParaId, SensorType: 1 }]
  await door.data('POST', '/ColdStorage/Init', { Id, SN: gateway.SN, Sensors, BindTime: wall(start - 2 * day) })

  /** One day of minutes, with a warm half hour that begins at its own hour. */
  const backFill = async (of: number) => {
    const from = start + of * day
    const warmFrom = from + ((of % 20) + 1) * hour
    const raw = await openRawGateway(own.process.mqttPort, gateway)
    await raw.connack()
    await raw.subscribe(`iot/v1/${gateway.SN}/down/+`)
    const times = Array.from({ length: day / minute }, (_, i) => from + i * minute)
    const Items = times.map((T) => ({ D: gateway.device, T, V: { [ParaId]: T >= warmFrom && T < warmFrom + hour / 2 ? 9 + of / 100 : 5 } }))
    for (let i = 0; i < Items.length; i += 480) {
      const MsgId = `${of}.${i}`
      await raw.say('history', { MsgId, Ts: Date.now(), Data: { Items: Items.slice(i, i + 480), Backfill: 1 } })
      await raw.acked(MsgId)
    }
    raw.close()
    return { Begin: warmFrom, End: warmFrom + hour / 2, Peak: 9 + of / 100 }
  }
  const shown = () =>
    own.query<Excursion>(`
      select (extract(epoch from "BeginTime") * 1000)::float8 as "Begin", (extract(epoch from "EndTime") * 1000)::float8 as "End", "PeakValue"::float8 as "Peak"
      from cold_excursion where "IsVoid" = 0 order by "BeginTime"`)
  const expected: Excursion[] = []
  let before = 0
  for (let i = 0; i <= kills; i++) {
    expected.push(await backFill(i))
    if (i) {
      // The worker looks for arrivals every five seconds.
      await pause(Math.random() * 6000)
      before += Number((await shown()).length < expected.length)
      await own.process.kill()
      await own.process.start()
    }
    await expect.poll(shown, { timeout: 60_000, interval: 500 }).toEqual(expected)
  }
  expect(await shown()).toEqual(expected)
  enter(task, {
    fault: 'killed between back-fill and excursions',
    rounds: kills,
    ...noReadings,
    note: `${before} before the excursion was worked out`,
  })
})
