// What the conformance suite shows of every figure: it is the count of the list behind it. `resources.test.ts` runs it on its server.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { figures, resources } from '../areas/index.ts'
import { modules } from '../areas/people/data-permissions/contract.ts'
import { type Figure, figureCall } from '../contract/figures.ts'
import type { maker } from '../main/testing/drafts.ts'
import type { Kit } from '../main/testing/kit.ts'

type Counted = { TotalCount: number; Items: ({ Count: number } & Record<string, unknown>)[] } & Record<string, number>
type Days = { Date: string; Count: number }[]

export const figuresSuite = (kit: Kit, make: ReturnType<typeof maker>) => {
  const named = (name: string) => resources.find((r) => r.name === name)!
  const people = async () => {
    if (kit.people.has('counter')) return
    const { Id: RegionId } = await make.create(named('region'))
    const sites = [await make.create(named('project'), { RegionId }), await make.create(named('project'))]
    for (const { Id: ProjectId } of sites) {
      const box = await make.create(named('gateway'), { ProjectId })
      await make.create(named('device'), { GatewayId: box.Id })
      // Plain entities get drafts generated from their contract.
      for (const r of new Set(figures.map((f) => f.of))) if (r.columns && r.fields.ProjectId) await make.create(r, { ProjectId })
    }
    await kit.db.rows(sql`
      insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "DeviceId", "ProjectId", "StartTime", "IsActive", "HandleStatus")
      select d."EnterpriseId", '', 'Too hot', d."Id", g."ProjectId", now() - interval '1 day' * (d."Id" % 2), d."Id" % 2, d."Id" % 3
      from device d join gateway g on g."Id" = d."GatewayId" where d."EnterpriseId" = ${kit.enterprises.ours}`)
    await kit.person('counter', kit.enterprises.ours, { projects: [sites[0]!.Id] })
  }
  const name = ({ path }: Figure) => ({ path })
  describe.each(figures.map((f) => ({ ...name(f), f })))('the figure $path', ({ f }) => {
    const get = <T>(as: string, path: string) => kit.data<T>(as, 'GET', path)
    const listed = async (as: string, where: Record<string, unknown> = {}) => {
      const query = Object.entries(where).map(([field, value]) => `&${field}=${value}`)
      return (await get<{ TotalCount: number }>(as, `${f.of.path}/List?PageSize=1${query.join('')}`)).TotalCount
    }

    it('agrees with its list, for everybody: a whole tenant, one project, another tenant', async () => {
      await people()
      expect(await listed('owner')).toBeGreaterThan(await listed('counter'))
      expect(await listed('counter')).toBeGreaterThan(0)
      for (const as of ['owner', 'counter', 'stranger']) {
        if (f.at) {
          for (const { Date: day, Count } of await get<Days>(as, `${f.path}?Days=3`))
            expect(Count, day).toBe(await listed(as, { [f.at]: day }))
          continue
        }
        const counted = await get<Counted>(as, f.path)
        expect(counted.TotalCount).toBe(await listed(as))
        for (const item of counted.Items) if (item[f.key!] !== null) expect(item.Count).toBe(await listed(as, { [f.by!]: item[f.key!] }))
        for (const [sum, where] of Object.entries(f.sums ?? {})) {
          const one = Object.fromEntries(Object.entries(where).map(([field, values]) => [field, values.join()]))
          expect(counted[sum], sum).toBe(await listed(as, one))
        }
      }
    })

    it('is read with the permission of its list only', async () => {
      expect(await kit.call('nobody', 'GET', f.path)).toMatchObject({ StatusCode: 403 })
      expect((await kit.request(undefined, 'GET', f.path)).statusCode).toBe(401)
      expect(figureCall(f).permission).toBe(f.of.readBy ?? f.of.permission)
    })

    // Only fields of these can be hidden.
    it.runIf(f.of.name in modules)('shows no value of a field that is hidden from somebody', async () => {
      await people()
      const field = (f.by ?? f.at)!
      const who = `blind_${f.of.name}_${field}`
      const UserId = await kit.person(who, kit.enterprises.ours)
      await kit.db.rows(sql`
        with made as (insert into data_permission ("EnterpriseId", "Name", "ModuleCode", "DataScope", "OrganIds", "HiddenFields")
          values (${kit.enterprises.ours}, ${who}, ${f.of.name}, 5, '[]', ${JSON.stringify([field])}::jsonb) returning "Id")
        insert into role_data_permission ("EnterpriseId", "RoleId", "DataPermissionId")
        select ${kit.enterprises.ours}, (select "RoleId" from user_role where "UserId" = ${UserId}), "Id" from made`)
      const data = await get<Counted & Days>(who, f.path)
      const counts = f.at ? data : data.Items.filter((item) => item[f.key!] !== null)
      expect(counts.filter((item) => item.Count > 0)).toEqual([])
    })
  })
}
