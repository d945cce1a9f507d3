import type { ReactNode } from 'react'
import type { Resource } from '../../contract/resource.ts'
import { useMixedCompany } from './useTenant.ts'

/** Adds the company's name to a cell, if the list has rows of several companies. */
export const WithCompany = ({ of: r, row, children }: { of: Resource; row: { EnterpriseId: number }; children: ReactNode }) => {
  const company = useMixedCompany(r, row)
  if (!company) return children
  return (
    <>
      {children} <span className="soft">{company}</span>
    </>
  )
}
