// The server is killed while a month of energy is closed: the month is closed with its statement and its entry in the log, or not at all.
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Page } from '../../contract/call.ts'
import { ownServer } from './own-server.ts'
import { enter, noReadings } from './tally.ts'
import { inTime, rounds } from './tiers.ts'

const [circuits, kills] = [60, rounds(3, 12)]
const own = ownServer()
const monthOf = (i: number) => new Date(Date.UTC(2024, i, 1)).toISOString().slice(0, 7)

type Closed = { Month: string; Sha256: string; Own: string; Circuits: number }
const closedMonths = () =>
  own.query<Closed>(`
    select "Month", "Sha256", encode(sha256(convert_to("Statement", 'UTF8')), 'hex') as "Own", json_array_length("Statement"::json -> 'Circuits') as "Circuits"
    from energy_month order by "Month"`)
const logged = async () =>
  (
    await own.query<{ Sha256: string }>(
      `select "After" ->> 'Sha256' as "Sha256" from change where "Resource" = 'energyMonth' order by "After" ->> 'Month'`,
    )
  ).map(({ Sha256 }) => Sha256)

test(
  'a month whose closing is killed is closed with its statement and its entry in the log, or not at all',
  inTime(kills),
  async ({ task }) => {
    const { door } = own
    const Enterprise = await door.ensureCompany()
    const { Id: ProjectId } = await door.data<{ Id: number }>('POST', '/Project/Project', {
      ProjectName: 'Closed',
      EnterpriseId: Enterprise,
    })
    for (let i = 0; i < circuits; i++) {
      const { Id } = await door.data<{ Id: number }>('POST', '/Energy/Info', {
        ...{ EnergyName: `Circuit ${i}`, EnergyCode: `C${i}`, ProjectId, Source: 2 },
      })
      await door.data('POST', '/Energy/InfoData', { EnergyInfoId: Id, DataTime: '2024-01-15 00:00:00', Value: 1 + i, CycleType: 3 })
    }
    expect((await door.data<Page<object>>('GET', '/Energy/Info/List?PageSize=1')).TotalCount).toBe(circuits)
    const close = (i: number) => door.call(door.admin, 'POST', '/Energy/Month/Close', { ProjectId, Month: monthOf(i) })
    const from = performance.now()
    expect(await close(0)).toMatchObject({ Succeeded: true })
    const lasts = performance.now() - from
    let happened = 0
    for (let i = 1; i <= kills; i++) {
      const answer = close(i).catch(() => undefined)
      await pause(Math.random() * lasts)
      await own.process.kill()
      await own.process.start()
      const said = await answer
      const isClosed = (await closedMonths()).some(({ Month }) => Month === monthOf(i))
      if (said?.Succeeded) expect(isClosed).toBe(true)
      if (isClosed) happened++
      // Repeated without a fault: a month that was closed is refused, another one is closed now.
      expect(await close(i)).toMatchObject(isClosed ? { StatusCode: 409 } : { Succeeded: true })
    }
    const months = await closedMonths()
    expect(months.map(({ Month }) => Month)).toEqual(Array.from({ length: kills + 1 }, (_, i) => monthOf(i)))
    for (const { Sha256, Own, Circuits } of months) expect([Own, Circuits]).toEqual([Sha256, circuits])
    expect(await logged()).toEqual(months.map(({ Sha256 }) => Sha256))
    enter(task, {
      fault: 'killed at closing a month',
      rounds: kills,
      ...noReadings,
      note: `${happened} had happened, the others had not at all`,
    })
  },
)
