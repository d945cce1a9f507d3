import { Alert } from 'antd'
import { Link } from 'react-router'
import type { DetailLooks } from '../../../../console/kernel/plainScreens.ts'
import { ageText, none, shortText } from '../../../../console/words/formats.ts'
import { Ago } from '../../../../console/words/moments.tsx'
import { language, useWords } from '../../../../console/words/words.ts'
import type { gateway } from '../contract.ts'
import { GatewayActions } from './GatewayActions.tsx'

type Looks = Required<DetailLooks<typeof gateway>>

export const Actions = GatewayActions

/** A released gateway has no values to show and needs another box. */
export const Notice: Looks['Notice'] = ({ row: { SN, FormerSN } }) => {
  const t = useWords()
  return SN === null ? <Alert type="warning" showIcon title={t('gateway.released.text', { SN: FormerSN ?? '' })} /> : null
}

export const cells: Looks['cells'] = {
  UpTime: ({ UpTime }) => (UpTime === null ? undefined : <span className="figures">{ageText(UpTime * 1000, language())}</span>),
}

export const head: Looks['head'] = (row, t) => ({
  belongs: (
    <>
      <Link to={`/projectManagement/gatewayManagement?ProjectId=${row.ProjectId}`}>{String(row.ProjectName ?? '')}</Link> ·{' '}
      {row.SN === null ? t('gateway.released') : <span className="mono">{row.SN}</span>}
    </>
  ),
  figures: [
    { label: t('gateway.LastHeartbeatTime'), value: row.LastHeartbeatTime ? <Ago time={row.LastHeartbeatTime} /> : none },
    { label: t('gateway.CacheCount'), value: row.CacheCount === null ? none : shortText(row.CacheCount, language()) },
    { label: t('gateway.ConfigVersion'), value: `${row.ConfigVersion ?? none} / ${row.TargetConfigVersion}` },
  ],
})
