import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { trialUser } from '../contract.ts'

export const screens: Screens = {
  '/systemManagement/experienceLog': list(trialUser, ['TrialName', 'Phone', 'Email', 'Status', 'UserNO', 'ExpireTime', 'Ip'], {
    filters: ['Status'],
    readOnly: true,
  }),
}
