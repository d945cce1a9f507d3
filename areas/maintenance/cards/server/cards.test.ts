import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import type { Change } from '../../../../server/database/db.ts'
import { named } from '../../../../server/resource/sql.ts'
import { normalCardNo } from '../cardNo.ts'
import { openCardReads } from './service.ts'

type Card = { Id: number; CardNo: string; Status: number }
type Read = { CardNo: string; Result: number; Reader: string; CardName: string | null }
type Punch = { Id: number; PunchType: number; PunchTime: string; Status: number; Day: string }
const base = '/Project/ProRFIDInfo'

let kit: Kit
let gateway: { Id: number; EnterpriseId: number; ProjectId: number }
let read: ReturnType<typeof openCardReads>
const announced: Change[] = []
let n = 0
beforeAll(async () => {
  kit = await startKit()
  gateway = (await maker(kit).create(named('gateway'))) as unknown as typeof gateway
  read = openCardReads({ system: kit.db, now: Date.now, announce: (change) => announced.push(change) })
})
afterAll(() => kit?.close())

const add = (CardNo: string, more: object = {}) => kit.call<Card>('owner', 'POST', base, { CardName: `Card ${++n}`, CardNo, ...more })
const history = async (CardNo: string) =>
  (await kit.data<{ Items: Read[] }>('owner', 'POST', `${base}/ProRFIDHistory`, { CardNo, OrderColumn: 'ReadTime', OrderType: 'asc' }))
    .Items

describe('the number of a card', () => {
  const cases: [string, string | undefined][] = [
    ['0012345678', '00BC614E'],
    ['4294967295', 'FFFFFFFF'],
    ['4294967296', undefined],
    ['04:a2:b3:c4', '04A2B3C4'],
    ['04a2b3c4d5', '04A2B3C4D5'],
    ['04A2-B3C4-D5E6-80', '04A2B3C4D5E680'],
    ['1234567890ABC', undefined],
    ['', undefined],
    ['0x123456', undefined],
  ]
  it.each(cases)('%s is stored as %s', async (given, stored) => {
    expect(normalCardNo(given)).toBe(stored)
    const answer = await add(given)
    if (stored) expect(answer).toMatchObject({ Data: { CardNo: stored } })
    else expect(answer).toMatchObject({ StatusCode: 400, Details: { Fields: { CardNo: [expect.any(String)] } } })
  })

  it('is one card, however it is written, and another company may have the same', async () => {
    expect(await add('00:bc:61:4e')).toMatchObject({ StatusCode: 409, Details: { Fields: { CardNo: expect.anything() } } })
    expect(await kit.call('stranger', 'POST', base, { CardName: 'Theirs', CardNo: '0012345678' })).toMatchObject({ Succeeded: true })
  })

  it('names equipment or its device, and keeps both in step', async () => {
    const { Id: device, DeviceName } = (await maker(kit).create(named('device'), { GatewayId: gateway.Id })) as {
      Id: number
      DeviceName: string
    }
    const at = await add('0000000077', { DeviceId: device })
    expect(at).toMatchObject({ Data: { DeviceId: device, EquipmentName: DeviceName } })
    const roof = { EquipmentName: 'Roof', ProjectId: gateway.ProjectId }
    const { Id: EquipmentId } = await kit.data<Card>('owner', 'POST', '/Maintenance/MtnEquipment', roof)
    const change = (given: object) => kit.call<Card>('owner', 'PUT', base, { Id: at.Data.Id, ...given })
    expect(await change({ EquipmentId, DeviceId: device })).toMatchObject({ Data: { EquipmentId, DeviceId: null } })
    expect(await change({ PositionName: 'Top', DeviceId: null })).toMatchObject({ Data: { EquipmentId } })
    expect(await change({ DeviceId: device })).toMatchObject({ Data: { EquipmentName: DeviceName } })
    expect(await change({ DeviceId: null })).toMatchObject({ Data: { EquipmentId: null, DeviceId: null } })
    expect(await change({ EquipmentId: 999_999 })).toMatchObject({ Details: { Fields: { EquipmentId: expect.anything() } } })
  })

  it('comes in from a sheet like from a form', async () => {
    const sheet = (CardNo: string) => `Name,Card number\nSheet card,${CardNo}\n`
    expect(await kit.upload('owner', `${base}/Import`, sheet('0000000042'), 'cards.csv')).toMatchObject({ Data: { Added: 1 } })
    expect(await kit.data('owner', 'GET', `${base}/List?CardNo=0000002A`)).toMatchObject({ Items: [{ CardName: 'Sheet card' }] })
    expect(await kit.upload('owner', `${base}/Import`, sheet('123'), 'cards.csv')).toMatchObject({ Succeeded: false })
  })
})

it('rfid-status: the status of a card is set, of one or of many, and says what its readings are worth', async () => {
  const ids = [(await add('AA000001')).Data.Id, (await add('AA000002')).Data.Id]
  const set = (body: object, as = 'owner') => kit.call(as, 'POST', `${base}/SetStatus`, body)
  for (const Status of [0, 2, 3, 1]) {
    expect(await set({ Id: ids[0], Status })).toMatchObject({ Data: { Changed: 1 } })
    expect(await kit.data('owner', 'GET', `${base}?Id=${ids[0]}`)).toMatchObject({ Status })
  }
  expect(await set({ Ids: ids, Status: 2 })).toMatchObject({ Data: { Changed: 2 } })
  for (const Status of [4, -1, null]) expect(await set({ Id: ids[0], Status })).toMatchObject({ StatusCode: 400 })
  expect(await set({ Id: ids[0], Status: 1 }, 'stranger')).toMatchObject({ StatusCode: 404 })
  expect(await set({ Id: ids[0], Status: 1 }, 'viewer')).toMatchObject({ StatusCode: 403 })
  await read(gateway, { CardNo: 'aa000001', Reader: 'gate', ReadTime: Date.now() })
  expect(await history('AA000001')).toMatchObject([{ Result: 2 }])
})

describe('readings of a gateway', () => {
  it('are kept once for a reader, card and time, in any order, and say what they are worth', async () => {
    await add('BB000001')
    const at = Date.now() - 86_400_000
    const times = [at, at + 30_000, at + 200_000]
    for (const ReadTime of [...times, ...times]) await read(gateway, { CardNo: 'bb:00:00:01', Reader: 'gate 1', ReadTime })
    await read(gateway, { CardNo: 'BB000001', Reader: 'gate 2', ReadTime: at })
    await Promise.all(Array.from({ length: 5 }, () => read(gateway, { CardNo: 'CC000001', Reader: 'gate 1', ReadTime: at })))
    await read(gateway, { CardNo: 'no number', Reader: '', ReadTime: at })
    expect((await history('BB000001')).map(({ Reader, Result }) => `${Reader}: ${Result}`).sort()).toEqual([
      'gate 1: 0',
      'gate 1: 0',
      'gate 1: 6',
      'gate 2: 0',
    ])
    expect(await history('CC000001')).toMatchObject([{ Result: 1, CardName: null }])
    expect(await history('NO NUMBER')).toHaveLength(1)
    expect(announced.filter((c) => c.resource === 'proRfidHistory').length).toBe(7)
    expect(await kit.db.rows(sql`select 1 from gateway_event`)).toEqual([])
  })

  it('make the presence of a day from the first and the last one, also when they come late', async () => {
    const UserId = kit.people.get('viewer')!.id
    await add('DD000001', { CardType: 2, UserId })
    const day = (hour: string) => Date.parse(`2026-03-02T${hour}:00Z`)
    const punches = async () =>
      (
        await kit.data<{ Items: Punch[] }>(
          'owner',
          'GET',
          `/Maintenance/MtnPunchRecord/List?UserId=${UserId}&OrderColumn=PunchType&OrderType=asc`,
        )
      ).Items
    const at = (hour: string) => read({ ...gateway }, { CardNo: 'DD000001', Reader: 'door', ReadTime: day(hour) })
    await kit.db.rows(sql`update enterprise set "TimeZoneKey" = 'UTC' where "Id" = ${gateway.EnterpriseId}`)
    await at('08:05')
    expect((await punches()).map((p) => [p.PunchType, p.PunchTime.slice(11)])).toEqual([[1, '08:05:00']])
    for (const hour of ['16:30', '12:00', '07:58']) await at(hour)
    expect((await punches()).map((p) => [p.PunchType, p.Day, p.PunchTime.slice(11)])).toEqual([
      [1, '2026-03-02', '07:58:00'],
      [2, '2026-03-02', '16:30:00'],
    ])
    // Patrol readings by phone do not count as attendance.
    await kit.db.rows(sql`
      insert into pro_rfid_history ("EnterpriseId", "CardNo", "ReadTime", "Result", "ReaderType", "Reader", "UserId")
      select ${gateway.EnterpriseId}, 'EE000001', ${new Date(day('05:00'))}::timestamptz + n * interval '14 hours', 0, 2, 'XJ1', ${UserId} from generate_series(0, 1) n`)
    await at('12:01')
    expect((await punches()).map((p) => p.PunchTime.slice(11))).toEqual(['07:58:00', '16:30:00'])
    const { Id } = (await punches())[1]!
    const correct = (ApproverId: number, as = 'owner') =>
      kit.call(as, 'POST', '/Maintenance/MtnPunchRecord/Correct', {
        Id,
        PunchTime: '2026-03-02 17:00:00',
        ApproverId,
        Remark: 'Gate was shut',
      })
    const [owner, nobody] = [kit.people.get('owner')!.id, kit.people.get('nobody')!.id]
    for (const wrong of [UserId, owner])
      expect(await correct(wrong)).toMatchObject({ Details: { Fields: { ApproverId: expect.anything() } } })
    expect(await correct(nobody, 'viewer')).toMatchObject({ StatusCode: 403 })
    expect(await correct(nobody)).toMatchObject({ Data: { Status: 5, ApproverName: 'nobody' } })
    await at('18:00')
    expect((await punches())[1]).toMatchObject({ PunchTime: '2026-03-02 17:00:00', Status: 5 })
  })
})
