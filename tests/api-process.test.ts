// A process with the role `api` beside the server that owns the database: the same answers, and the owner's work left to the owner.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFleetEngines } from '../main/testing/fleetEngines.ts'
import { hasHaproxy, startHaproxy } from '../main/testing/haproxy.ts'
import { hasNats } from '../main/testing/nats.ts'
import { clickhouseServer } from '../server/telemetry/store/clickhouse/clickhouseServer.ts'
import { metricsToken } from './faults/own-server.ts'
import { makePlant } from './faults/plant.ts'
import { startSenders } from './faults/senders.ts'
import { type ServerProcess, startServerProcess } from './faults/server-process.ts'
import { type FrontDoor, openFrontDoor, until } from './front-door.ts'
import { connectHub } from './house.ts'

describe.skipIf(!clickhouseServer || !hasNats)('an API process (skipped without ClickHouse or NATS)', () => {
  let engines: Awaited<ReturnType<typeof startFleetEngines>>
  let owner: ServerProcess
  let beside: ServerProcess
  let ownDoor: FrontDoor
  let door: FrontDoor
  beforeAll(async () => {
    engines = await startFleetEngines()
    const env = {
      ...engines.env,
      PENSTOCK_TRUST_PROXY: '127.0.0.0/8',
      PENSTOCK_METRICS_TOKEN: metricsToken,
      PENSTOCK_CALLS_PER_SECOND: '50',
    }
    owner = await startServerProcess(env)
    // The owner believes the API process, which believes none of its callers.
    beside = await startServerProcess({ ...env, PENSTOCK_TRUST_PROXY: 'off', ROLES: 'api' })
    ownDoor = await owner.door()
    door = await openFrontDoor(beside.origin)
  })
  afterAll(async () => {
    await beside?.stop()
    await owner?.stop()
    for (const process of [beside, owner]) process?.remove()
    await engines?.close()
  })

  /** How many requests the process answered itself. */
  const answered = async () => {
    const text = await (await fetch(`${beside.origin}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })).text()
    const [, count] = /^penstock_http_requests_total\{way="own"\} (\d+)/m.exec(text) ?? []
    if (!count) throw new Error(`No count: ${text.slice(0, 200)}`)
    return Number(count)
  }

  /** Creates a company. Returns the token of its manager. */
  const newCompany = async (ManagerNO: string) => {
    const made = { Name: `Company ${ManagerNO}`, ManagerNO, ManagerName: 'Manager' }
    const { OneTimePwd } = await door.data<{ OneTimePwd: string }>('POST', '/System/Enterprise', made)
    const first = await door.call<{ Token: string }>(undefined, 'POST', '/Auth/Login', { UserNO: ManagerNO, Pwd: OneTimePwd })
    expect(await door.call(first.Data.Token, 'GET', '/Project/Gateway/List')).toMatchObject({ Succeeded: false, StatusCode: 403 })
    const change = { OldPwd: OneTimePwd, NewPwd: 'lanterns over wet cobbles' }
    return (await door.data<{ Token: string }>('POST', '/System/User/SetPwd', change, first.Data.Token)).Token
  }

  test('people work through it: changes go to the owner, lists and charts are answered here as there', async () => {
    const [source] = await makePlant(door, 1, 2, 'BESIDE')
    const senders = startSenders([source!], { port: owner.mqttPort, messagesPerSecond: 50 })
    await until('readings', () => senders.ackedCount() > 100)
    await senders.stop()
    const [ParaId] = source!.points
    const range = { Start: Date.now() - 3_600_000, End: Date.now() }
    const calls: [string, string, object?][] = [
      ['GET', '/Project/Gateway/List?PageSize=10'],
      ['POST', '/Project/Project/List', { PageIndex: 1, PageSize: 10 }],
      ['GET', '/System/User/List'],
      ['GET', `/Project/Gateway?Id=${source!.gateway}`],
      ['GET', `/V2/Project/DevPara/List?DeviceIds=${source!.device}`],
      ['POST', '/DataCenter/ReportData/Data', { ParaIds: [ParaId], ...range }],
      ['GET', `/DataCenter/ReportData/StaticsData?ParaIds=${source!.points.join(',')}&Start=${range.Start}&End=${range.End}`],
      ['GET', '/DataCenter/ReportData/AllDevParaInfo'],
      ['GET', '/Energy/DataCenter/InfoList?DateFrom=2026-01-01&DateTo=2026-01-31'],
      ['GET', `/electricity/specific-period?ParaId=${ParaId}&Start=${range.Start}&End=${range.End}`],
      ['GET', '/endpoints/models'],
      ['GET', '/Maintenance/MtnMaintenanceOrder/Figures?DateFrom=2026-01-01&DateTo=2026-01-31'],
      ['GET', '/ColdStorage/ReportStandard?StorageType=1'],
    ]
    for (const [method, path, body] of calls) {
      const before = await answered()
      const here = await door.data(method, path, body)
      // Reading the count is a request, too.
      expect(await answered(), `${method} ${path} is answered here`).toBe(before + 2)
      expect(here, path).toEqual(await ownDoor.data(method, path, body))
    }
    const { Series } = await door.data<{ Series: { Time: number[] }[] }>('POST', '/DataCenter/ReportData/Data', {
      ParaIds: [ParaId],
      ...range,
    })
    expect(Series[0]!.Time.length).toBeGreaterThan(50)
  })

  test('a company sees nothing of another one, and no more than its people may', async () => {
    const [source] = await makePlant(door, 1, 1, 'CLOSED')
    const token = await newCompany('second')
    const asked = { ParaIds: source!.points, Start: Date.now() - 60_000, End: Date.now() }
    expect(await door.call(token, 'POST', '/DataCenter/ReportData/Data', asked)).toMatchObject({ Succeeded: false, StatusCode: 404 })
    expect(await door.call(token, 'GET', '/Project/Gateway/List')).toMatchObject({ Data: { TotalCount: 0 } })
    expect(await door.call(token, 'GET', '/System/Timer/List')).toMatchObject({ Succeeded: false, StatusCode: 403 })
    expect(await door.call(undefined, 'GET', '/Project/Gateway/List')).toMatchObject({ Succeeded: false, StatusCode: 401 })
  })

  test('nobody chooses his own address: of eight wrong passwords five are judged', async () => {
    const body = JSON.stringify({ UserNO: 'nobody of the tests', Pwd: 'not the password' })
    const faults: string[] = []
    for (let i = 0; i < 8; i++) {
      const forged = `198.51.100.${i}`
      const names = { 'x-forwarded-for': forged, forwarded: `for=${forged}`, 'x-real-ip': forged }
      const answer = await fetch(`${beside.origin}/api/Auth/Login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...names },
        body,
      })
      faults.push(((await answer.json()) as { Details: { Fault: string } }).Details.Fault)
    }
    expect(faults).toEqual([...Array(5).fill('wrongCredentials'), ...Array(3).fill('tooManyTries')])
  })

  test('external senders over HTTP reach the owner through it', async () => {
    for (const path of ['/write', '/api/v2/write', '/api/v1/no-such-token/telemetry']) {
      const of = async (origin: string) => {
        const answer = await fetch(`${origin}${path}`, { method: 'POST', body: 'a v=1' })
        return [answer.status, await answer.text()]
      }
      const here = await of(beside.origin)
      expect(here[0], path).toBe(401)
      expect(here, path).toEqual(await of(owner.origin))
    }
  })

  test('no spelling of a path makes it do the work of the owner', async () => {
    const before = await answered()
    for (const path of [
      '/%61pi/Project/Project',
      '/api/Project/%50roject',
      '//api/Project/Project',
      '/API/Project/Project/',
      '/api/./Project/Project',
    ]) {
      const headers = { authorization: `Bearer ${door.admin}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ ProjectName: `By ${path}` })
      const { status } = await fetch(`${beside.origin}${path}`, { method: 'POST', headers, body })
      expect(status, path).toBe(/%61|\/\//.test(path) ? 404 : 200)
    }
    const { Items } = await ownDoor.data<{ Items: { ProjectName: string }[] }>('GET', '/Project/Project/List?PageSize=100')
    expect(Items.filter(({ ProjectName }) => ProjectName.startsWith('By')).length).toBe(3)
    // The two that were refused, and this count.
    expect(await answered()).toBe(before + 3)
  })

  test('a session that ends at the owner is refused here', async () => {
    const token = await door.login()
    expect(await door.call(token, 'GET', '/Project/Gateway/List')).toMatchObject({ Succeeded: true })
    expect(await ownDoor.call(token, 'POST', '/Auth/Logout', {})).toMatchObject({ Succeeded: true })
    await until('the session to be refused', async () => (await door.call(token, 'GET', '/Project/Gateway/List')).StatusCode === 401)
  })

  test('calls that it answers use up the rate limit of their user at the owner, and no other user’s', async () => {
    const busy = await newCompany('busy')
    const listed = async (at: FrontDoor, count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, () => at.call(busy, 'GET', '/Project/Gateway/List')))
      return answers.filter(({ StatusCode }) => StatusCode === 200).length
    }
    // Of a burst of 200, to which 50 a second are added.
    let spentAt = 0
    await until('a refusal here', async () => {
      spentAt = performance.now()
      return (await listed(door, 50)) < 50
    })
    await sleep(500)
    const admitted = await listed(ownDoor, 150)
    const added = ((performance.now() - spentAt) / 1000) * 50
    expect(admitted).toBeLessThan(added + 50)
    expect(await ownDoor.call(door.admin, 'GET', '/Project/Gateway/List')).toMatchObject({ Succeeded: true })
  })

  test('live values and files pass through it', async () => {
    const [source] = await makePlant(door, 1, 1, 'LIVE')
    const hub = await connectHub(beside.origin, door.admin)
    await hub.connection.invoke('Subscribe', source!.points)
    const senders = startSenders([source!], { port: owner.mqttPort, messagesPerSecond: 20 })
    await until('a live value', () => hub.values.length > 0)
    await senders.stop()
    const other = await connectHub(beside.origin, door.admin)
    expect(await other.connection.invoke('Subscribe', source!.points)).toMatchObject({
      Values: [[source!.points[0], expect.any(Number), expect.any(Number), 0]],
    })
    await door.data('POST', '/Project/Project', { ProjectName: 'Heard' })
    await until('the change', () => hub.changes.some(({ Resource, Verb }) => Resource === 'project' && Verb === 'create'))
    for (const { connection } of [hub, other]) await connection.stop()

    const form = new FormData()
    form.append('file', new Blob(['close the valve first']), 'seal.txt')
    const headers = { authorization: `Bearer ${door.admin}` }
    const sent = await fetch(`${beside.origin}/api/System/File/Upload?Purpose=attachment`, { method: 'POST', headers, body: form })
    const { Data } = (await sent.json()) as { Data: { FilePath: string } }
    expect(await (await fetch(`${beside.origin}/api/${Data.FilePath}`, { headers })).text()).toBe('close the valve first')
  })

  test.skipIf(!hasHaproxy)(
    'the balancer of a fleet sends people to it, and to the owner without it (skipped without HAProxy)',
    async () => {
      const balancer = await startHaproxy({ gateways: [], apis: [beside], servers: [owner] })
      try {
        await until('an answer', async () => (await fetch(`${balancer.origin}/healthz`)).ok)
        const before = await answered()
        const through = await openFrontDoor(balancer.origin)
        await through.data('GET', '/Project/Gateway/List')
        const hub = await connectHub(balancer.origin, through.admin)
        expect(await answered()).toBeGreaterThan(before + 1)
        await beside.stop()
        const list = `${balancer.origin}/api/Project/Gateway/List`
        await until('the owner’s answer', async () => (await fetch(list, { headers: { authorization: `Bearer ${through.admin}` } })).ok)
        await hub.connection.stop()
        await beside.start()
        await until('the process', async () => (await beside.ready()).ok)
      } finally {
        await balancer.stop()
      }
    },
  )

  test('while the owner is away lists are answered and changes are refused with a reason; afterwards all goes on', async () => {
    const project = (ProjectName: string) => door.call<{ Id: number }>(door.admin, 'POST', '/Project/Project', { ProjectName })
    expect(await project('Before')).toMatchObject({ Succeeded: true })
    const hub = await connectHub(beside.origin, door.admin)
    const closed = new Promise<void>((done) => hub.connection.onclose(() => done()))
    await owner.kill()
    await until('a refusal', async () => {
      const answer = await project('Meanwhile')
      return answer.StatusCode === 503 && JSON.stringify(answer.Errors).includes('moment')
    })
    const { engines } = await until('its absence to be noticed', async () => {
      const state = await beside.ready()
      return !state.ok && state
    })
    expect(engines).toMatchObject({ database: true, telemetry: true, owner: false })
    // Consoles learn that nothing is live.
    await closed
    await expect(connectHub(beside.origin, door.admin)).rejects.toThrow()
    expect(await door.data('GET', '/Project/Project/List?ProjectName=Before')).toMatchObject({ Items: [{ ProjectName: 'Before' }] })
    await owner.start()
    await until('the next owner', async () => (await beside.ready()).ok)
    expect(await project('Afterwards')).toMatchObject({ Succeeded: true })
    expect(await door.data('GET', '/Project/Project/List?ProjectName=Afterwards')).toMatchObject({ TotalCount: 1 })
  })
})
