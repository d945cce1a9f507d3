import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Plant, startPlant } from './harness.ts'

let plant: Plant
beforeAll(async () => {
  plant = await startPlant()
})
afterAll(() => plant.close())

test('one call reads 200 points at most, and the history keeps the newest 2,000 reads', async () => {
  const g = await plant.equip(1)
  await plant.connect(g)
  const read = (ParaIds: number[]) => plant.kit.call('owner', 'POST', '/Project/DevPara/Read', { ParaIds })
  expect(await read(Array.from({ length: 201 }, (_, i) => i + 1))).toMatchObject({ Details: { Fields: { ParaIds: [expect.anything()] } } })
  expect(await read([...g.points, 999_999])).toMatchObject({ StatusCode: 404 })
  await plant.kit.db.rows(sql`
    insert into command ("EnterpriseId", "GatewayId", "CmdType", "MsgId", "SendTime")
    select "EnterpriseId", "Id", kind, kind || n || '/' || "Id", now() from gateway, generate_series(1, 2050) n, unnest(array['read', 'write']) kind where "Id" = ${g.Id}`)
  for (let i = 0; i < 100; i++) await read(g.points)
  const counts = await plant.kit.db.rows(
    sql`select "CmdType", count(*)::integer as n from command where "GatewayId" = ${g.Id} group by 1 order by 1`,
  )
  expect(counts).toEqual([
    { CmdType: 'read', n: 2000 },
    { CmdType: 'write', n: 2050 },
  ])
})
