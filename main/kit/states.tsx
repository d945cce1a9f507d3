import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { alarmRoster } from '../../areas/alarms/alarm-rosters/contract.ts'
import { post } from '../../areas/people/posts/contract.ts'
import { role } from '../../areas/people/roles/contract.ts'
import { Failure } from '../../console/kernel/Empty.tsx'
import { ResourceList } from '../../console/kernel/ResourceList.tsx'
import { forgetPreview } from '../../console/session/preview.ts'
import { request } from '../../console/session/request.ts'
import { Failed } from '../../console/shell/Failed.tsx'
import { Forbidden, NotFound, Unknown } from '../../console/shell/NotFound.tsx'
import { Waiting } from '../../console/shell/Waiting.tsx'
import type { Seeds } from './seed.ts'

export const Empty = () => <ResourceList of={alarmRoster} columns={['RosterName', 'Remark']} prefix="empty" />

/** Its queries never answer. */
const silent = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
export const Slow = () => (
  <QueryClientProvider client={silent}>
    <div data-waits>
      <ResourceList of={post} columns={['PostName']} prefix="slow" />
    </div>
  </QueryClientProvider>
)

const useFailure = (name: string, call: () => Promise<unknown>) => {
  const { error, refetch } = useQuery({ queryKey: ['kit', name], queryFn: call, retry: false })
  return error ? <Failure fault={error} retry={refetch} /> : <Waiting />
}

/** No such call: 404. */
export const Broken = () => useFailure('broken', () => request('GET', '/Kit/Nothing'))

/** Asks as a role without any rights. The header of the role is set before `request` first waits. */
const askAs = ({ Id, RoleName }: Seeds['guest']) => {
  sessionStorage.setItem('penstock.asRole', JSON.stringify({ Id, RoleName }))
  const answer = request('GET', `${role.path}/List`)
  forgetPreview()
  return answer
}
export const Denied = ({ guest }: Seeds) => useFailure('denied', () => askAs(guest))

const Throws = (): never => {
  throw new Error('TypeError: rows is undefined')
}
export const Pages = () => (
  <div className="kit-pages">
    <Forbidden />
    <NotFound />
    <Unknown />
    <Failed>
      <Throws />
    </Failed>
  </div>
)
