import { Button, Segmented, Select } from 'antd'
import { useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { LiveAge, LiveState, LiveValue } from '../../../../console/live/LiveCells.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { fullName, type ParaInfo } from '../../../../contract/telemetry.ts'
import { reportGroupCalls } from '../../report-groups/contract.ts'
import { LiveTable } from '../../telemetry/console/LiveTable.tsx'
import { useAddress, useChoice } from './useExplore.ts'
import './charts/charts.css'

const looks = ['table', 'tiles'] as const

/** Live values side by side, each with the way to its curve. */
const Tiles = ({ points }: { points: readonly ParaInfo[] }) => (
  <div className="chart-figures">
    {points.map((p) => (
      <Link key={p.ParaId} to={`/dataAnalysis/realTimeData?points=${p.ParaId}`} className="panel" style={{ color: 'inherit' }}>
        <span className="soft">{fullName(p)}</span>
        <strong>
          <LiveValue point={p} />
        </strong>
        <small>
          <LiveState point={p} /> · <LiveAge point={p} />
        </small>
      </Link>
    ))}
  </div>
)

/** The values that the points of a group have now. */
const GroupRealTimeScreen = () => {
  const t = useWords()
  const { params, set } = useAddress()
  const navigate = useNavigate()
  const mayGroups = useMay('m10308')
  const [look, setLook] = useChoice('as', looks)
  const { data, error, refetch } = useCall(reportGroupCalls.trends, { query: {}, of: ['reportGroup', 'point', 'device'] })
  const asked = Number(params.get('group'))
  const group = data?.find(({ Id }) => Id === asked) ?? data?.[0]
  const points = useMemo(
    // Nothing sends values of formula points.
    () => (group?.Points ?? []).filter((p) => p.DeviceId > 0).map((p) => ({ ...p, ParaName: p.Title || p.ParaName })),
    [group],
  )
  const toGroups = mayGroups && (
    <Link to="/dataAnalysis/group">
      <Button>{t('menu.m10308')}</Button>
    </Link>
  )
  return (
    <Page title={t('menu.m10304')} actions={group && toGroups}>
      {error && !data ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : !data ? (
        <Waiting />
      ) : !group ? (
        <EmptyList
          text={t('empty.reportGroup')}
          action={mayGroups && { label: t('menu.m10308'), run: () => navigate('/dataAnalysis/group') }}
        />
      ) : (
        <>
          <div className="search-bar">
            <Select
              value={group.Id}
              onChange={(id) => set({ group: id, page: undefined })}
              options={data.map(({ Id, GroupName }) => ({ value: Id, label: GroupName }))}
              showSearch={{ optionFilterProp: 'label' }}
              aria-label={t('reportGroup')}
              style={{ minWidth: 240 }}
            />
            <Link to={`/dataAnalysis/realTimeData?points=${group.Points.slice(0, 7).map((p) => p.ParaId)}`}>
              <Button>{t('device.trend')}</Button>
            </Link>
            <Segmented
              value={look}
              onChange={setLook}
              options={looks.map((value) => ({ value, label: t(`groupLive.as.${value}`) }))}
              aria-label={t('groupLive.as')}
            />
            {group.HiddenPoints > 0 && <span className="soft">{t('group.hidden', { count: group.HiddenPoints })}</span>}
          </div>
          {look === 'tiles' ? <Tiles points={points} /> : <LiveTable key={group.Id} points={points} />}
        </>
      )}
    </Page>
  )
}
export default GroupRealTimeScreen
