import { useQuery } from '@tanstack/react-query'
import { resourceNamed } from '../../../contract/registry.ts'
import type { Resource } from '../../../contract/resource.ts'
import { useSession } from '../../session/session.ts'
import { rowsQuery } from '../api.ts'

/** Whether the reader has one project only: a column or filter with it says nothing, so lists leave it out. */
export const useSoleProject = (r: Resource) => {
  const to = r.fields.ProjectId && resourceNamed('project')
  const enabled = useSession((s) => Boolean(to && s.session?.codes.has(to.permission)))
  const { data, isLoading } = useQuery({ ...rowsQuery(to ?? r, { PageIndex: 1, PageSize: 1 }), enabled, staleTime: 60_000 })
  return { sole: enabled && data?.TotalCount === 1, loading: isLoading }
}
