// Security-relevant actions are in the log, and a flood cannot hide them (F10).
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashPassword } from '../../server/identity/passwords.ts'
import { type House, password, startHouse, until } from '../house.ts'

type Entry = { Id: number; UserNO: string | null; Verb: string; Resource: string; ObjectName: string | null; RecordId: number }
type Item = { Field: string; FieldName: string; After: string | null }

let house: House
const clock = { now: Date.UTC(2026, 10, 22, 12, 0, 1) }
const people: Record<string, { id: number; token: string }> = {}
let role = 0
beforeAll(async () => {
  house = await startHouse({}, () => clock.now)
  role = (await house.data('POST', '/System/Role', { RoleName: 'Lookers' })).Id
  await house.data('POST', '/System/Role/AuthorizationMenu', { RoleId: role, MenuCodes: ['m101', 'm10101'] })
  const hash = await hashPassword(password)
  for (const name of ['flooder', 'neighbour']) {
    const [made] = await house.database.system.rows<{ Id: number }>(
      sql`insert into "user" ("EnterpriseId", "UserNO", "UserName", "PasswordHash") values (1, ${name}, ${name}, ${hash}) returning "Id"`,
    )
    await house.data('POST', '/System/Role/User', { RoleId: role, UserIds: [made!.Id] })
    people[name] = { id: made!.Id, token: await house.login(name) }
  }
})
afterAll(() => house?.close())

const entries = async (query: string) => (await house.data<{ Items: Entry[] }>('GET', `/System/Log/List?PageSize=500&${query}`)).Items
const itemsOf = async ({ Id }: Entry) =>
  Object.fromEntries((await house.data<Item[]>('GET', `/System/Log/LogItemList?Id=${Id}`)).map((item) => [item.FieldName, item.After]))

it('a list that leaves as a file: which, with what filters, how many rows', async () => {
  for (const ProjectName of ['North', 'North east', 'South']) await house.data('POST', '/Project/Project', { ProjectName })
  const take = (path: string) =>
    fetch(`${house.origin}/api${path}`, {
      headers: { authorization: `Bearer ${people.neighbour!.token}`, 'accept-language': 'en' },
    }).then((answer) => answer.arrayBuffer())
  for (const format of ['csv', 'xlsx']) await take(`/Project/Project/Output?Format=${format}&Fields=ProjectName&ProjectName=North`)
  const found = await entries('Verb=export&UserNO=neighbour')
  expect(found.map((e) => [e.Resource, e.ObjectName])).toEqual([
    ['project', 'Projects'],
    ['project', 'Projects'],
  ])
  for (const entry of found) expect(await itemsOf(entry)).toMatchObject({ Records: '2', Filters: '{"ProjectName":"North"}' })
})

it('a list that leaves in the background, and a table of points', async () => {
  const task = await house.data<{ Id: number }>('POST', '/Project/ImportExportTask', {
    Resource: 'project',
    Format: 'csv',
    Query: { Search: 'south' },
  })
  const { device } = await house.newGateway('LOGGED000001', 15_998)
  expect(task.Id).toBeGreaterThan(0)
  const url = `${house.origin}/api/Project/DevPara/Output?DeviceId=${device}`
  await fetch(url, { headers: { authorization: `Bearer ${house.admin}` } }).then((answer) => answer.arrayBuffer())
  const found = await until('the export', async () => {
    const found = await entries('Verb=export&UserNO=admin')
    return found.length === 2 && found
  })
  expect(found.map((e) => e.Resource).sort()).toEqual(['point', 'project'])
  expect(await itemsOf(found.find((e) => e.Resource === 'project')!)).toMatchObject({ Records: '1', Filters: '{"Search":"south"}' })
})

it('a file that is removed', async () => {
  const body = new FormData()
  body.append('file', new Blob(['plan']), 'plan of the works.txt')
  const answer = await fetch(`${house.origin}/api/System/File/Upload`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${house.admin}` },
  })
  const { FilePath } = ((await answer.json()) as { Data: { FilePath: string } }).Data
  await house.data('DELETE', '/System/File', { FilePath })
  expect(await entries('Verb=remove&Search=plan of')).toMatchObject([{ UserNO: 'admin', ObjectName: 'plan of the works.txt' }])
})

it('somebody else’s messages switched off', async () => {
  const UserId = people.neighbour!.id
  await house.data('POST', '/WeChat/WeiXinGrant/ChangeOpenStatusByUserId', { UserId, OpenStatus: 0 })
  const [entry] = await entries('Verb=update&Resource=userPush')
  expect(entry).toMatchObject({ UserNO: 'admin', ObjectName: 'neighbour', RecordId: UserId })
  expect(await itemsOf(entry!)).toMatchObject({ Messages: '0' })
})

it('a look at the console as a role, once an hour', async () => {
  const look = () =>
    fetch(`${house.origin}/api/Project/Project/List`, { headers: { authorization: `Bearer ${house.admin}`, 'x-as-role': String(role) } })
  for (let n = 0; n < 3; n++) await look()
  const found = await until('the entry', async () => {
    const found = await entries('Verb=preview')
    return found.length > 0 && found
  })
  expect(found).toMatchObject([{ UserNO: 'admin', Resource: 'role', RecordId: role, ObjectName: 'Lookers' }])
  clock.now += 3_600_000
  await look()
  await until('the next hour’s', async () => (await entries('Verb=preview')).length === 2)
})

it('an id that is not his to know', async () => {
  expect(await house.call(people.neighbour!.token, 'GET', '/Project/Project?Id=987654')).toMatchObject({ StatusCode: 404 })
  const [entry] = await entries('Verb=refused&UserNO=neighbour')
  expect(await itemsOf(entry!)).toMatchObject({ Reason: 'Not found or no access' })
})

it('refusals of a neighbour, while somebody floods the log with his own, and how many of those there were', async () => {
  const { paths } = (await (
    await fetch(`${house.origin}/api/openapi.json`, { headers: { authorization: `Bearer ${house.admin}` } })
  ).json()) as { paths: Record<string, Record<string, unknown>> }
  const calls = Object.keys(paths)
    .filter((path) => paths[path]!.get && !/\{|Output|Template|File/i.test(path))
    .slice(0, 150)
  expect(calls.length).toBeGreaterThan(65)
  const flood = async () => {
    let refused = 0
    for (const path of calls) {
      const answer = await house.call(people.flooder!.token, 'GET', path.replace(/^\/api/, ''))
      if (answer.StatusCode === 403) refused++
    }
    return refused
  }
  const refused = await flood()
  expect(refused).toBeGreaterThan(61)
  expect(await house.call(people.neighbour!.token, 'DELETE', '/Project/Project', { Id: 1 })).toMatchObject({ StatusCode: 403 })
  expect((await entries('Verb=refused&UserNO=neighbour')).map((e) => e.ObjectName)).toContain('DELETE /api/Project/Project')
  expect(await entries('Verb=refused&UserNO=flooder')).toHaveLength(60)
  // The minute is over: the next refusal brings the count along.
  clock.now += 60_000
  await house.call(people.flooder!.token, 'DELETE', '/System/User', { Id: 1 })
  const more = (await entries('Verb=refused&UserNO=flooder')).filter((e) => e.ObjectName?.includes('more'))
  expect(more.map((e) => e.ObjectName)).toEqual([`${refused - 60} more refused calls`])
})
