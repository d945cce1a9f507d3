import { useWords } from '../../../../console/words/words.ts'
import type { Grant } from '../contract.ts'

/** Limits of a tenant, and its usage. */
export const GrantFacts = ({ grant }: { grant: Grant }) => {
  const t = useWords()
  const of = (count: number, most: number | null) => (most === null ? String(count) : t('tenant.countOf', { count, most }))
  const facts: [string, string][] = [
    [t('enterprise.VersionId'), grant.VersionName ?? t('tenant.noVersion')],
    [t('menu.m10102'), of(grant.GatewayCount, grant.MaxGateways)],
    [t('menu.m10402'), of(grant.UserCount, grant.MaxUsers)],
    [t('menu.m10104'), of(grant.PointCount, grant.MaxPoints)],
    [t('enterprise.GrantFrom'), grant.GrantFrom ?? t('tenant.noLimit')],
    [t('enterprise.GrantTo'), grant.GrantTo ?? t('tenant.noLimit')],
  ]
  return (
    <dl className="panel detail-figures">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="figures">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
