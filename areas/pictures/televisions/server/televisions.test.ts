import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { emptyScene } from '../../../../contract/picture/scene.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import type { Followed, Playing, SharedScreen, TakingAlarms } from '../../public-screens/contract.ts'
import { openParts } from '../../public-screens/server/parts.fixture.ts'

type Row = Record<string, unknown> & { Id: number }
type Code = { Code: string; Secret: string }
const path = '/Project/Ddt/Television'
const flowcharts = '/Project/Ddt/Flowchart'
const minute = 60_000
const day = 24 * 60 * minute
let now = Date.parse('2026-03-01T12:00:00Z')
let kit: Kit
let parts: Awaited<ReturnType<typeof openParts>>
let project = 0
let picture = 0
beforeAll(async () => {
  const telemetry = { latest: new Map(), query: undefined } as never
  parts = await openParts(() => now)
  kit = await startKit({
    clock: () => now,
    areas: (database, sessions) => parts.routes(database, sessions, telemetry),
  })
  project = ((await maker(kit).create(projects, { ProjectName: 'Works' })) as Row).Id
  picture = (await kit.data<Row>('owner', 'POST', flowcharts, { FlowchartName: 'Hall', ProjectId: project })).Id
  await kit.data('owner', 'POST', `${flowcharts}/Save`, { Id: picture, Scene: emptyScene() })
  await kit.data('owner', 'POST', `${flowcharts}/Publish`, { Id: picture })
})
afterAll(async () => {
  await kit.close()
  parts.close()
})

const from = <T>(at: string, payload: object = {}, remoteAddress = '192.0.2.7') =>
  kit.app
    .inject({ method: 'POST', url: `/api${at}`, payload, remoteAddress, headers: { 'user-agent': 'Lobby browser' } })
    .then((r) => r.json() as { StatusCode: number; Data: T })
const begin = async (remoteAddress?: string) => (await from<Code>('/Tv/Begin', {}, remoteAddress)).Data
const claim = (code: Code) => from<{ Token: string | null }>('/Tv/Claim', { Code: code.Code, Secret: code.Secret })
let count = 0
const pair = (Code: string, more: object = {}, as = 'owner') =>
  kit.call<Row>(as, 'POST', `${path}/Pair`, {
    ...{ Code, TelevisionName: `Lobby ${++count}`, Playlist: [{ Kind: 1, Id: picture, Seconds: 10 }] },
    ...more,
  })
/** A paired display with its token. */
const display = async (more: object = {}, as?: string) => {
  const code = await begin()
  const { Data } = await pair(code.Code, more, as)
  return { Id: Data.Id, Token: (await claim(code)).Data.Token! }
}
const play = (Token: string) => from<Playing>('/Tv/Open', { Token })
const follow = (Visit: string) => from<Followed>('/Share/Follow', { Visit, Entry: 0 })

it('a display shows a code, a person sees whose it is and pairs it, and it plays its playlist', async () => {
  const code = await begin()
  expect(code.Code).toMatch(/^[A-Z2-9]{8}$/)
  expect((await claim(code)).Data).toEqual({ Token: null })
  expect(await kit.data('owner', 'POST', `${path}/Look`, { Code: code.Code })).toEqual({ Address: '192.0.2.7', Browser: 'Lobby browser' })
  const made = await pair(code.Code)
  expect(made.Data).toMatchObject({ UserName: 'owner', Address: '192.0.2.7' })
  const { Token } = (await claim(code)).Data
  const { Data } = await play(Token!)
  expect(Data).toMatchObject({ CompanyName: 'Ours', UserName: 'owner', Playlist: [{ Kind: 1, Id: picture, Seconds: 10 }] })
  expect((await from<SharedScreen>('/Share/Show', { Visit: Data.Visit, Entry: 0 })).Data).toMatchObject({ Picture: { Version: 1 } })
  expect((await from('/Share/Show', { Visit: Data.Visit, Entry: 1 })).StatusCode).toBe(404)
  expect(await kit.data<Row>('owner', 'GET', `${path}?Id=${made.Data.Id}`)).toMatchObject({ LastSeenTime: expect.any(String) })
})

it('an entry opens its picture with the parameters that it fixes', async () => {
  const { Id } = await kit.data<Row>('owner', 'POST', flowcharts, { FlowchartName: 'Of a name', ProjectId: project })
  const Scene = { ...emptyScene(), parameters: [{ name: 'Who', type: 'text' }], items: [] }
  await kit.data('owner', 'POST', `${flowcharts}/Save`, { Id, Scene })
  await kit.data('owner', 'POST', `${flowcharts}/Publish`, { Id })
  const entry = (Who: string) => ({ Kind: 1, Id, Seconds: 10, Parameters: [{ Name: 'Who', Value: Who }] })
  const { Token } = await display({ Playlist: [entry('Hall A'), entry('Hall B')] })
  const { Visit } = (await play(Token)).Data
  const given = async (Entry: number) =>
    ((await from<SharedScreen>('/Share/Show', { Visit, Entry })).Data as { Picture: { Given: object } }).Picture.Given
  expect([await given(0), await given(1)]).toEqual([{ Who: 'Hall A' }, { Who: 'Hall B' }])
  const wrong = await pair((await begin()).Code, { Playlist: [{ ...entry(''), Parameters: [{ Name: 'Who', Value: {} }] }] })
  expect(wrong.StatusCode).toBe(400)
})

it('a code works once, for its own display, and for ten minutes', async () => {
  const code = await begin()
  expect((await claim({ ...code, Secret: 'x'.repeat(32) })).StatusCode).toBe(404)
  expect((await pair(code.Code)).StatusCode).toBe(200)
  expect((await pair(code.Code)).StatusCode).toBe(400)
  expect((await claim(code)).Data.Token).toBeTruthy()
  expect((await claim(code)).StatusCode).toBe(404)
  const late = await begin()
  now += 11 * minute
  expect([(await pair(late.Code)).StatusCode, (await claim(late)).StatusCode]).toEqual([400, 404])
})

it('an address has twenty open codes, and a person ten wrong entries an hour', async () => {
  const codes = await Promise.all(Array.from({ length: 25 }, () => from<Code>('/Tv/Begin', {}, '198.51.100.3')))
  expect(Object.groupBy(codes, ({ StatusCode }) => String(StatusCode))).toMatchObject({ 200: { length: 20 }, 429: { length: 5 } })
  await kit.person('guesser', kit.enterprises.ours)
  const tries = []
  for (let i = 0; i < 11; i++) tries.push((await kit.call('guesser', 'POST', `${path}/Look`, { Code: 'AAAAAAAA' })).StatusCode)
  expect(tries).toEqual([...Array(10).fill(400), 429])
  const { Code } = await begin()
  expect((await pair(Code, {}, 'guesser')).StatusCode).toBe(429)
  expect((await pair(Code)).StatusCode).toBe(200)
})

it('a removed display stops within five seconds; one that is unused for thirty days is forgotten', async () => {
  const removed = await display()
  const { Visit } = (await play(removed.Token)).Data
  expect((await follow(Visit)).StatusCode).toBe(200)
  await kit.data('owner', 'DELETE', path, { Id: removed.Id })
  now += 4000
  expect([(await follow(Visit)).StatusCode, (await play(removed.Token)).StatusCode]).toEqual([404, 404])
  const idle = await display()
  await play(idle.Token)
  now += 29 * day
  expect((await play(idle.Token)).StatusCode).toBe(200)
  now += 31 * day
  expect((await play(idle.Token)).StatusCode).toBe(404)
})

it('it shows what whoever paired it may see now; a playlist names only what its giver sees', async () => {
  await kit.person('leaver', kit.enterprises.ours)
  const { Token } = await display({}, 'leaver')
  const { Visit } = (await play(Token)).Data
  expect((await follow(Visit)).StatusCode).toBe(200)
  await kit.db.rows(sql`update "user" set "Status" = 0 where "UserNO" = 'leaver'`)
  now += 4000
  expect((await follow(Visit)).StatusCode).toBe(404)
  const { Code } = await begin()
  const strange = await pair(Code, { Playlist: [{ Kind: 1, Id: picture, Seconds: 10 }] }, 'stranger')
  expect(strange).toMatchObject({ StatusCode: 400, Details: { Fields: { 'Playlist.0.Id': expect.anything() } } })
  expect(await pair(Code, { Playlist: [{ Kind: 1, Seconds: 10 }] })).toMatchObject({ StatusCode: 400 })
  expect(await pair(Code, { Playlist: [] })).toMatchObject({ StatusCode: 400 })
  expect(await pair(Code, { Playlist: [{ Kind: 3, Seconds: 10 }] })).toMatchObject({ StatusCode: 200 })
})

it('another playlist shows what whoever gave it may see', async () => {
  await maker(kit).create(projects, { ProjectName: 'Elsewhere', Longitude: 1, Latitude: 1 })
  await kit.data('owner', 'PUT', '/Project/Project', { Id: project, Longitude: 2, Latitude: 2 })
  await kit.person('local', kit.enterprises.ours, { projects: [project] })
  const { Id, Token } = await display({ ProjectId: project })
  await kit.data('local', 'PUT', path, { Id, Playlist: [{ Kind: 3, Seconds: 10 }] })
  const { Visit, UserName } = (await play(Token)).Data
  expect(UserName).toBe('local')
  const { Data } = await from<SharedScreen>('/Share/Show', { Visit, Entry: 0 })
  expect(Data).toMatchObject({ Map: { Items: [{ Id: project }] } })
  await kit.person('arranger', kit.enterprises.ours, { menus: [...permissions].filter((code) => code !== 'm10135.add') })
  expect(await kit.call('arranger', 'PUT', path, { Id, Playlist: [{ Kind: 3, Seconds: 20 }] })).toMatchObject({ StatusCode: 403 })
  expect(await kit.call('arranger', 'PUT', path, { Id, TelevisionName: 'Foyer' })).toMatchObject({ Data: { UserName: 'local' } })
})

const taking = (Visit: string) => from<TakingAlarms>('/Tv/Alarms', { Visit })
let alarms = 0
const raise = async (more: object = {}) => {
  const { ProjectId, AlarmLevel, IsActive, AckStatus, IsShelved } = {
    ...{ ProjectId: project, AlarmLevel: 3, IsActive: 1, AckStatus: 0, IsShelved: 0 },
    ...more,
  }
  const [row] = await kit.db.rows<{ Id: number }>(sql`
    insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "AlarmLevel", "ProjectId", "Subject", "IsActive", "StartTime", "AckStatus", "IsShelved")
    values (${kit.enterprises.ours}, ${`T${++alarms}`}, 'Secret rule', ${AlarmLevel}, ${ProjectId}, ${`s${alarms}`}, ${IsActive}, ${new Date(now)}, ${AckStatus}, ${IsShelved})
    returning "Id"`)
  return row!.Id
}
const settle = (id: number, set: ReturnType<typeof sql>) => kit.db.rows(sql`update alarm_info set ${set} where "Id" = ${id}`)

it('an active high alarm of its projects takes the screen where the playlist says so, without its text, and gives it back', async () => {
  const { Token, Id } = await display({ ShowAlarms: 1 })
  const { Visit, ShowAlarms } = (await play(Token)).Data
  expect(ShowAlarms).toBe(1)
  const still = await display()
  const other = (await play(still.Token)).Data.Visit
  const heard = async (visit = Visit) => {
    now += 2500
    return (await taking(visit)).Data
  }
  const none = { Alarms: [], More: 0 }
  expect(await heard()).toEqual(none)
  const elsewhere = ((await maker(kit).create(projects, { ProjectName: 'Far away' })) as Row).Id
  for (const more of [{ AlarmLevel: 2 }, { IsActive: 0 }, { AckStatus: 1 }, { IsShelved: 1 }, { ProjectId: elsewhere }]) await raise(more)
  expect(await heard()).toEqual(none)
  const since = now
  const alarm = await raise()
  const answer = await heard()
  expect(answer).toEqual({ Alarms: [{ Name: null, ProjectName: 'Works', Since: since }], More: 0 })
  expect(JSON.stringify(answer)).not.toContain('Secret')
  expect(await heard(other)).toEqual(none)
  await settle(alarm, sql`"AckStatus" = 1`)
  expect(await heard()).toEqual(none)
  const many = await Promise.all(Array.from({ length: 7 }, () => raise()))
  expect(await heard()).toMatchObject({ Alarms: { length: 5 }, More: 2 })
  for (const one of many) await settle(one, sql`"IsActive" = 0`)
  expect(await heard()).toEqual(none)
  const far = await raise({ ProjectId: elsewhere })
  await kit.data('owner', 'PUT', path, { Id, Playlist: [{ Kind: 3, Seconds: 10 }] })
  expect(await heard()).toMatchObject({ Alarms: [{ ProjectName: 'Far away' }, { ProjectName: 'Far away' }], More: 0 })
  await settle(far, sql`"IsActive" = 0`)
})

it('somebody who sees no alarms gives a playlist that shows none, and a link asks for none', async () => {
  await kit.person('calm', kit.enterprises.ours, { menus: [...permissions].filter((code) => code !== 'm10201') })
  const { Token } = await display({ ShowAlarms: 1 }, 'calm')
  const { Visit } = (await play(Token)).Data
  const alarm = await raise()
  expect((await taking(Visit)).Data).toEqual({ Alarms: [], More: 0 })
  expect((await taking('x'.repeat(32))).StatusCode).toBe(404)
  await settle(alarm, sql`"IsActive" = 0`)
})

it('what a playlist shows is not removed, and the answer names the display', async () => {
  const { Id: board } = await kit.data<Row>('owner', 'POST', '/blade-visual/visual/save', {
    Title: 'Floor',
    Content: { Version: 1, Range: '1h', Variables: [], Widgets: [] },
  })
  const hall = (await kit.data<Row>('owner', 'POST', flowcharts, { FlowchartName: 'Second hall', ProjectId: project })).Id
  await kit.data('owner', 'POST', `${flowcharts}/Save`, { Id: hall, Scene: emptyScene() })
  await kit.data('owner', 'POST', `${flowcharts}/Publish`, { Id: hall })
  const own = ((await maker(kit).create(projects, { ProjectName: 'Shown alone' })) as Row).Id
  const shown = [
    { Kind: 1, Id: hall, Seconds: 10 },
    { Kind: 2, Id: board, Seconds: 10 },
    { Kind: 4, Id: own, Seconds: 10 },
  ]
  const { Id } = await display({ TelevisionName: 'Gate', Playlist: shown })
  const UsedBy = [{ Resource: 'television', Id, Title: 'Gate' }]
  const removals = [
    ['DELETE', flowcharts, { Id: hall }],
    ['POST', '/blade-visual/visual/remove', { Ids: [board] }],
    ['DELETE', '/Project/Project', { Id: own }],
  ] as const
  for (const [method, at, body] of removals)
    expect(await kit.call('owner', method, at, body)).toMatchObject({ StatusCode: 409, Details: { Fault: 'inUse', UsedBy } })
  await kit.data('owner', 'DELETE', path, { Id })
  for (const [method, at, body] of removals) expect(await kit.call('owner', method, at, body)).toMatchObject({ StatusCode: 200 })
})

it('another display takes the place of one, and plays the same; the former one stops', async () => {
  const { Id, Token } = await display({ TelevisionName: 'Old screen' })
  const code = await begin()
  const replace = (as: string, Code = code.Code) => kit.call<Row>(as, 'POST', `${path}/Replace`, { Code, Id })
  expect((await replace('stranger')).StatusCode).toBe(404)
  await kit.person('keeper', kit.enterprises.ours, { menus: [...permissions].filter((one) => one !== 'm10135.add') })
  expect((await replace('keeper')).StatusCode).toBe(403)
  expect((await replace('owner', 'ABCDEFGH')).StatusCode).toBe(400)
  expect(await replace('owner')).toMatchObject({ Data: { Id, TelevisionName: 'Old screen', UserName: 'owner' } })
  const next = (await claim(code)).Data.Token!
  now += 4000
  expect((await play(Token)).StatusCode).toBe(404)
  expect((await play(next)).Data).toMatchObject({ TelevisionName: 'Old screen', Playlist: [{ Id: picture }] })
})
