import type { ReactNode } from 'react'
import { CronZone } from '../../../../console/cron/zone.ts'
import { useRow } from '../../../../console/kernel/api.ts'
import { useUser } from '../../../../console/session/session.ts'
import { enterprise } from '../../../people/enterprises/contract.ts'

/** Times of tasks are in the platform's time zone. */
const HomeZone = ({ children }: { children: ReactNode }) => {
  const { data: home } = useRow(enterprise, useUser()?.EnterpriseId)
  return <CronZone value={home?.TimeZoneKey}>{children}</CronZone>
}
export default HomeZone
