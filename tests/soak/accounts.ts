import type { Page } from '../../contract/call.ts'
import type { FrontDoor } from '../front-door.ts'

const password = 'soaked in load 1'

/** Accounts with the first administrator's role, their passwords changed; the answer signs one of them in. */
export const makeAccounts = async (door: FrontDoor, count: number, prefix: string, role: { RoleId: number }) => {
  const names = Array.from({ length: count }, (_, i) => `${prefix}_${i}`)
  for (const UserNO of names) {
    const draft = { UserNO, UserName: UserNO, RoleIds: [role.RoleId] }
    const { OneTimePwd } = await door.data<{ OneTimePwd: string }>('POST', '/System/User', draft)
    await door.data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: password }, await door.login(UserNO, OneTimePwd))
  }
  /** At most five sessions each. */
  return (i: number) => door.login(names[i % names.length], password)
}

export const administrators = async (door: FrontDoor) => {
  const { Items } = await door.data<Page<{ Id: number }>>('GET', '/System/Role/List?RoleName=Platform')
  return { RoleId: Items[0]!.Id }
}

/** Sees live values, and hears of no alarms. */
export const onlookers = async (door: FrontDoor) => {
  const { Id: RoleId } = await door.data('POST', '/System/Role', { RoleName: 'Onlookers' })
  await door.data('POST', '/System/Role/AuthorizationMenu', { RoleId, MenuCodes: ['m101', 'm10108'] })
  await door.data('POST', '/System/Role/SetProject', { RoleId, ProjectIds: null })
  return { RoleId }
}
