// A disconnected client does not end the work it requested, so its resources stay taken.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../front-door.ts'
import { type House, startHouse } from '../house.ts'
import { person } from '../two-tenants.ts'

let house: House
let tenant: number
let attacker: string
let neighbour: string
beforeAll(async () => {
  house = await startHouse()
  const { Id } = await house.data('POST', '/System/Enterprise', { Name: 'Works', ManagerNO: 'worksManager', ManagerName: 'Works' })
  tenant = Id
  attacker = await person(house, tenant, 'attacker', 'Attacker', 'Company manager')
  neighbour = await person(house, tenant, 'neighbour', 'Neighbour', 'Company manager')
})
afterAll(() => house?.close())

const list = (token: string) =>
  fetch(`${house.origin}/api/System/Post/List`, { headers: { authorization: `Bearer ${token}` } }).then((answer) => answer.status)

it('six abandoned calls still take their sender’s six places, and no others', async () => {
  let release = () => {}
  const released = new Promise<void>((done) => {
    release = done
  })
  // Changes of the tenant's organisations wait for this transaction.
  const holding = house.database.system.tx(async (db) => {
    await db.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`tree organ ${tenant}`}, 0))`)
    await released
  })
  const waits = async () =>
    (await house.database.system.rows(sql`select 1 from pg_locks where locktype = 'advisory' and not granted`)).length
  const left = Array.from({ length: 6 }, async (_, i) => {
    const away = new AbortController()
    const call = fetch(`${house.origin}/api/System/Organ`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${attacker}` },
      body: JSON.stringify({ OrganName: `Left ${i}` }),
      signal: away.signal,
    }).catch(() => 'left')
    await until('a call to wait for the tree', waits)
    // Those that wait in the process have begun as well.
    await new Promise((resolve) => setTimeout(resolve, 500))
    away.abort()
    return call
  })
  expect(await Promise.all(left)).toEqual(Array(6).fill('left'))
  let isAnswered = false
  const own = list(attacker).then((status) => {
    isAnswered = true
    return status
  })
  expect(await list(neighbour)).toBe(200)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(isAnswered).toBe(false)
  release()
  await holding
  expect(await own).toBe(200)
})

it('another tenant’s organisations do not wait for it', async () => {
  await house.database.system.tx(async (db) => {
    await db.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`tree organ ${tenant}`}, 0))`)
    expect(await house.data('POST', '/System/Organ', { OrganName: 'Elsewhere' })).toMatchObject({ OrganName: 'Elsewhere' })
  })
})
