import type { ReactNode } from 'react'
import type { Resource } from '../../contract/resource.ts'
import { useMixedCompany } from './useTenant.ts'

/** A cell that names the company of its row, where the list has rows of several. */
export const WithCompany = ({ of: r, row, children }: { of: Resource; row: { EnterpriseId: number }; children: ReactNode }) => {
  const company = useMixedCompany(r, row)
  if (!company) return children
  return (
    <>
      {children} <span className="soft">{company}</span>
    </>
  )
}
