import { Select } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { companyMenus } from '../../contract/menus.ts'
import type { Resource } from '../../contract/resource.ts'
import { lower, useWords } from '../words/words.ts'
import { useSession, useUser } from './session.ts'
import { platform, useCompanies, useOwner } from './useTenant.ts'

/** Links to the form for the first company, if the error asks for one. */
export const AddCompany = () => {
  const t = useWords()
  return useCompanies().length ? null : (
    <Link to="/systemManagement/enterpriseManage">{t('list.add', { thing: lower(t('enterprise')) })}</Link>
  )
}

/** The companies to import into, the chosen one, and whether the person must choose. Only platform administrators have a choice. */
export const useCompanyChoice = (r: Resource, isPlaced: boolean) => {
  const all = useSession((s) => s.session?.enterprises) ?? []
  const isPlatform = useUser()?.IsPlatform === 1
  const owner = useOwner(r)?.EnterpriseId
  const [chosen, choose] = useState<number | undefined>(owner)
  const needsCompany = companyMenus.has(r.permission) && !r.shared
  const companies = isPlatform && !isPlaced ? all.filter(({ Id }) => !needsCompany || Id !== platform) : []
  return { companies, chosen: isPlaced ? undefined : chosen, choose, isMissing: needsCompany && companies.length > 1 && !chosen }
}

type Props = { of: ReturnType<typeof useCompanyChoice>; disabled: boolean; changed: () => void }
/** Asks for the company if there are several. */
export const CompanyChoice = ({ of: { companies, chosen, choose }, disabled, changed }: Props) => {
  const t = useWords()
  if (companies.length < 2) return null
  return (
    <Select
      aria-label={t('enterprise')}
      placeholder={t('import.company')}
      value={chosen}
      disabled={disabled}
      showSearch={{ optionFilterProp: 'label' }}
      options={companies.map(({ Id, Name }) => ({ value: Id, label: Name }))}
      onChange={(id) => {
        choose(id)
        changed()
      }}
    />
  )
}
