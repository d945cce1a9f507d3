// A data permission also narrows pushed values: an open connection receives nothing that left its sight.
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { hashPassword } from '../server/identity/passwords.ts'
import { connectHub, password, startHouse, until } from './house.ts'

it('changes of a project out of sight are pushed no more, within five seconds of the role’s change', async () => {
  const house = await startHouse()
  try {
    const db = house.database.system
    const [user] = await db.rows<{ Id: number }>(
      sql`insert into "user" ("EnterpriseId", "UserNO", "UserName", "PasswordHash") values (1, 'walter', 'Walter', ${await hashPassword(password)}) returning "Id"`,
    )
    const role = await house.data('POST', '/System/Role', { RoleName: 'Northern people' })
    await house.data('POST', '/System/Role/AuthorizationMenu', { RoleId: role.Id, MenuCodes: ['m101', 'm10101', 'm10108'] })
    await house.data('POST', '/System/Role/User', { RoleId: role.Id, UserIds: [user!.Id] })
    const organ = await house.data('POST', '/System/Organ', { OrganName: 'North' })
    const make = async (ProjectName: string, more: object = {}) =>
      (await house.data('POST', '/Project/Project', { ProjectName, ...more })).Id
    const [north, south] = [await make('North', { BelongOrganId: organ.Id }), await make('South')]
    const token = await house.login('walter')
    const hub = await connectHub(house.origin, token)
    const heard = (id: number) => hub.changes.filter((c) => c.Resource === 'project' && c.Id === id).length
    let count = 0
    const touch = (Id: number) => house.data('PUT', '/Project/Project', { Id, Remark: `touched ${++count}` })
    await touch(south)
    await until('the change to be heard', () => heard(south) > 0)

    const began = performance.now()
    await house.data('POST', '/System/Role/DataPermissions', { RoleId: role.Id, DataScope: 4, OrganIds: [organ.Id] })
    await until('the change of the other project to be heard alone', async () => {
      const [before, first] = [heard(south), heard(north)]
      await touch(south)
      await touch(north)
      await until('the change in sight', () => heard(north) > first)
      return heard(south) === before
    })
    expect(performance.now() - began).toBeLessThan(5000)
    await hub.connection.stop()
  } finally {
    await house.close()
  }
})

it('who looks at the console as a role hears what that role would, never more than he may himself, and nothing once it is gone', async () => {
  const house = await startHouse()
  try {
    const role = async (RoleName: string, MenuCodes: string[], projects?: number[]) => {
      const { Id } = await house.data('POST', '/System/Role', { RoleName })
      await house.data('POST', '/System/Role/AuthorizationMenu', { RoleId: Id, MenuCodes })
      if (projects) await house.data('POST', '/System/Role/SetProject', { RoleId: Id, ProjectIds: projects })
      return Id
    }
    const make = async (ProjectName: string) => (await house.data('POST', '/Project/Project', { ProjectName })).Id
    const [north, south] = [await make('North'), await make('South')]
    const narrow = await role('Northern people', ['m101', 'm10101'], [north])
    const blind = await role('Posts only', ['m104', 'm10413'])
    const as = (Id: number) => connectHub(house.origin, house.admin, { 'X-As-Role': String(Id) })
    const [own, northern, none] = [await connectHub(house.origin, house.admin), await as(narrow), await as(blind)]
    await expect(as(999_999)).rejects.toThrow()
    const heard = (hub: typeof own, id: number) => hub.changes.filter((c) => c.Resource === 'project' && c.Id === id).length
    const touch = async (Remark: string) => {
      for (const Id of [south, north]) await house.data('PUT', '/Project/Project', { Id, Remark })
      await until('the changes to be heard', () => heard(own, south) > 0 && heard(own, north) > 0)
    }
    await touch('once')
    await until('the change of its project', () => heard(northern, north) > 0)
    // A change of rows that all may see comes after those: what they did not hear by then was not sent.
    const organ = await house.data('POST', '/System/Organ', { OrganName: 'Plant' })
    const post = await house.data('POST', '/System/Post', { PostName: 'Operator', BelongOrganId: organ.Id })
    await until('the post', () => none.changes.some((c) => c.Resource === 'post' && c.Id === post.Id))
    expect([heard(northern, south), heard(none, north), heard(none, south)]).toEqual([0, 0, 0])

    const [user] = await house.database.system.rows<{ Id: number }>(
      sql`insert into "user" ("EnterpriseId", "UserNO", "UserName", "PasswordHash") values (1, 'rolf', 'Rolf', ${await hashPassword(password)}) returning "Id"`,
    )
    const roles = await role('Keeper of roles', ['m104', 'm10403'])
    await house.data('POST', '/System/Role/User', { RoleId: roles, UserIds: [user!.Id] })
    const rolf = await house.login('rolf')
    await expect(connectHub(house.origin, rolf, { 'X-As-Role': String(narrow) })).rejects.toThrow()

    const gone = new Promise<void>((done) => northern.connection.onclose(() => done()))
    await house.data('DELETE', '/System/Role', { Id: narrow })
    await house.hub.recheck(() => true)
    await gone
    const before = heard(northern, north)
    await touch('twice')
    expect(heard(northern, north)).toBe(before)
    for (const hub of [own, none]) await hub.connection.stop()
  } finally {
    await house.close()
  }
})
