import { tree } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { department, departmentCalls } from '../../departments/contract.ts'
import { organ, organCalls, type usersCall } from '../contract.ts'

const people = (call: ReturnType<typeof usersCall>) => async () => ({ default: (await import('./NodeUsers.tsx')).nodeUsers(call) })

export const screens: Screens = {
  '/systemManagement/organization': tree(organ, people(organCalls.users)),
  '/systemManagement/department': tree(department, people(departmentCalls.users)),
}
