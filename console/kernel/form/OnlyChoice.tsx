import { useEffect } from 'react'
import type { Resource } from '../../../contract/resource.ts'
import { useRows } from '../api.ts'

type Props = { to: Resource; where: Record<string, string | number | undefined> | undefined; choose: (id: number) => void }

/** Selects the only possible value of a required reference. */
export const OnlyChoice = ({ to, where, choose }: Props) => {
  const { data, isPlaceholderData } = useRows(to, { PageIndex: 1, PageSize: 50, Search: '', ...where })
  const only = !isPlaceholderData && data?.TotalCount === 1 ? data.Items[0]!.Id : undefined
  useEffect(() => {
    if (only !== undefined) choose(only)
  })
  return null
}
