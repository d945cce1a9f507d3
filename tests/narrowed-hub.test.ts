// A data permission narrows what is pushed, too: an open connection hears nothing of what has gone out of sight.
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
