import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from '../../../../contract/call.ts'
import { named } from '../../../../server/resource/sql.ts'
import { startWorks } from '../../../energy/consumption/server/consumption.fixture.ts'
import { roomRoutes } from '../../rooms/server/routes.ts'
import type { coldEnergyCalls } from '../contract.ts'
import { Stage, stagesOf } from '../stages.ts'
import { coldEnergyRoutes } from './routes.ts'

type Phases = Answer<typeof coldEnergyCalls.phases>
type Types = Answer<typeof coldEnergyCalls.types>
const [minute, hour] = [60_000, 3_600_000]
// Midnight in Madrid.
const t0 = Date.UTC(2026, 2, 3, 23)
const now = t0 + 48 * hour
let works: Awaited<ReturnType<typeof startWorks>>
const ids = { room: 0, bare: 0 }
beforeAll(async () => {
  works = await startWorks(() => now, [roomRoutes, coldEnergyRoutes])
  const { kit, make, ProjectId, DeviceId } = works
  const PriceStandardId = await works.tariff()
  const draft = { ProjectId, StorageType: 1, TempLow: 2, TempHigh: 8, Volume: 100 }
  for (const name of ['room', 'bare'] as const)
    ids[name] = (await kit.data<{ Id: number }>('owner', 'POST', '/ColdStorage/InfoPC', { ...draft, StorageName: name })).Id
  const point = async (ParaName: string, more: object = {}) => (await make.create(named('point'), { DeviceId, ParaName, ...more })).Id
  const [air, door] = [await point('air', { ParaUnitName: '°C' }), await point('door', { ParaDataType: 0, ParaUnitName: '' })]
  const [gateway] = await kit.db.rows<{ SN: string }>(sql`select "SN" from gateway limit 1`)
  const Sensors = [
    { ParaId: air, SensorType: 1 },
    { ParaId: door, SensorType: 3 },
  ]
  await kit.data('owner', 'POST', '/ColdStorage/Init', { Id: ids.room, SN: gateway!.SN, Sensors, BindTime: '2026-03-01 00:00:00' })
  await works.follow(air, { from: t0 - hour, to: t0 + 25 * hour }, () => 5)
  // Open from 10:00 to 10:10.
  const open = (time: number) => Number(time >= t0 + 10 * hour && time < t0 + 10 * hour + 10 * minute)
  await works.follow(door, { from: t0 - hour, to: t0 + 25 * hour }, open)
  for (const [EnergyCode, hourly, Use] of [
    ['whole', 10, 1],
    ['compressor', 6, 2],
  ] as const) {
    const ParaId = await works.meter()
    const { Id } = await make.create(named('energyInfo'), {
      EnergyName: EnergyCode,
      EnergyCode,
      ProjectId,
      Source: 1,
      ParaId,
      PriceStandardId,
    })
    await works.count(ParaId, { from: t0 - 24 * hour, to: now }, 1000, hourly)
    await kit.data('owner', 'POST', '/ColdStorage/Circuit', { ColdStorageId: ids.room, EnergyInfoId: Id, Use })
  }
})
afterAll(() => works?.close())

const asked = (room: number) => `ColdStorageId=${room}&Start=${t0}&End=${t0 + 24 * hour}`
const phases = (PhaseType: number, room = ids.room, as = 'owner') =>
  works.kit.call<Phases>(as, 'GET', `/v6/ColdStorage/PhaseStatistics?${asked(room)}&PhaseType=${PhaseType}`)
const types = (room: number, as = 'owner') => works.kit.call<Types>(as, 'GET', `/ColdStorage/EnergyTypeStatistics?${asked(room)}`)

it('energy is divided by what takes it; the rest is what no circuit names, and a use without a circuit is null', async () => {
  expect((await types(ids.room)).Data).toMatchObject({
    ...{ Total: 240, PerVolumeDay: 2.4 },
    Items: [
      { EnergyUse: 1, Energy: 144, Percent: 60, PerVolumeDay: 1.44 },
      { EnergyUse: 2, Energy: null, Percent: null },
      { EnergyUse: 3, Energy: null },
      { EnergyUse: 4, Energy: 96, Percent: 40, PerVolumeDay: 0.96 },
    ],
  })
  const bare = (await types(ids.bare)).Data
  expect([bare.Total, ...bare.Items.map(({ Energy }) => Energy)]).toEqual([null, null, null, null, null])
  expect(await types(ids.room, 'stranger')).toMatchObject({ StatusCode: 404 })
})

it('energy by stage shares each quarter-hour by minutes; by price level it is that of the tariff; by phase null', async () => {
  const byStage = (await phases(1)).Data
  expect(byStage.Items).toMatchObject([
    { Phase: 1, Minutes: 0, Energy: 0 },
    { Phase: 2, Minutes: 1430, Energy: 238.333 },
    { Phase: 3, Minutes: 0 },
    { Phase: 4, Minutes: 10, Energy: 1.667 },
    { Phase: 5, Minutes: 0 },
    { Phase: 6, Minutes: 0 },
  ])
  expect((await phases(2)).Data.Items).toEqual([
    { Phase: 2, Minutes: null, Energy: 160 },
    { Phase: 4, Minutes: null, Energy: 80 },
  ])
  expect((await phases(3)).Data.Items.map(({ Energy }) => Energy)).toEqual([null, null, null])
  for (const type of [1, 2]) expect((await phases(type, ids.bare)).Data.Items).toEqual([])
  for (const type of [1, 2, 3]) expect(await phases(type, ids.room, 'stranger')).toMatchObject({ StatusCode: 404 })
  expect(await phases(4)).toMatchObject({ StatusCode: 400 })
})

it('the first stage that holds counts: power cut, defrost, door, recovery, pull-down, holding', () => {
  const temperature = [12, 11, 9, 7, 7, 9, 9, 7, 9, 8.5, 7]
  const compressor = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
  const door = [0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
  const defrost = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
  const powerCut = [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]
  const { pullDown, holding, recovery, off } = Stage
  expect(stagesOf({ temperature, compressor, door, defrost, powerCut, low: 2, high: 8 })).toEqual([
    ...[holding, pullDown, pullDown, holding, Stage.door, Stage.defrost, recovery, holding, off, recovery, holding],
  ])
  expect(stagesOf({ temperature: [null, 5], low: 2, high: 8 })).toEqual([null, holding])
})

it('a time that no clock shows has no energy, and is no failure', async () => {
  const far = `ColdStorageId=${ids.room}&Start=8639999998000000&End=8640000000000000`
  for (const path of [
    'PhaseStatistics?PhaseType=1&',
    'PhaseStatistics?PhaseType=2&',
    'PhaseStatistics?PhaseType=3&',
    'EnergyTypeStatistics?',
  ])
    expect((await works.kit.call('owner', 'GET', `/ColdStorage/${path}${far}`)).StatusCode, path).toBeLessThan(500)
})
