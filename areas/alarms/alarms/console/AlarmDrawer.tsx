import './alarms.css'
import { MoreOutlined } from '@ant-design/icons'
import { Button, Descriptions, Dropdown, Select } from 'antd'
import { useCallback, useMemo } from 'react'
import { Link } from 'react-router'
import { Plot } from '../../../../console/chart/Plot.tsx'
import { usePointCurves } from '../../../../console/chart/usePointCurves.ts'
import { useCall, useCommand, useRow } from '../../../../console/kernel/api.ts'
import type { Action } from '../../../../console/kernel/RowActions.tsx'
import { useNow } from '../../../../console/live/clock.ts'
import { useMay, useMayCode } from '../../../../console/session/session.ts'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { useGo } from '../../../../console/shell/To.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { wallToEpoch } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { Chain } from '../../../maintenance/job-sheets/console/Chain.tsx'
import { OfferedArticles } from '../../../maintenance/knowledge-base/console/index.ts'
import { curveLimits, Style } from '../../alarm-rules/alarm-configure.ts'
import { alarmCalls, alarmInfo } from '../contract.ts'
import { type Alarm, AlarmLevel, AlarmPriority, AlarmState } from './AlarmLevel.tsx'
import { Comments } from './Comments.tsx'
import { NearAlarms } from './NearAlarms.tsx'
import { PlanText } from './PlanText.tsx'
import { Timeline } from './Timeline.tsx'

const halfHour = 1_800_000
/** Field of the person for each time field. */
const by: Record<string, string> = { AckTime: 'AckUserName', HandleTime: 'HandleUserName' }

/** The limits for the curve: those of the rule, not of the point. Limits of a change are not values of the curve. */
const limitsOf = ({ TriggerStyle, OperateSymbol, LimitValue, LimitValue2 }: Alarm) =>
  TriggerStyle === Style.change ? { AlarmLow: null, AlarmHigh: null } : curveLimits(OperateSymbol, LimitValue, LimitValue2)

const minute = 60_000

/** The curve from half an hour before to half an hour after, or until now, with the threshold. */
const Around = ({ alarm, id, width }: { alarm: Alarm; id: number; width: number }) => {
  const t = useWords()
  const at = wallToEpoch(alarm.StartTime)
  const now = Math.ceil(useNow() / minute) * minute
  const end = Math.min(at + halfHour, now)
  const range = useMemo(() => ({ start: at - halfHour, end }), [at, end])
  const ids = useMemo(() => [id], [id])
  const limits = useCallback(() => (alarm.AlmRuleId ? limitsOf(alarm) : undefined), [alarm])
  const curve = usePointCurves(ids, range, width, limits)
  if (!curve) return null
  return (
    <figure className="alarm-curve">
      <Plot {...curve} range={range} width={width} height={220} limited={ids} />
      <figcaption className="soft">{t(end === now ? 'alarm.untilNow' : 'alarm.around')}</figcaption>
    </figure>
  )
}

/** The address of each record that an alarm names, and the menu permission to open it. */
const targets: Record<string, { needs: string; to: (alarm: Alarm) => string }> = {
  ProjectName: { needs: 'm10101', to: (a) => `/projectManagement/projectConfig?Id=${a.ProjectId}` },
  GatewayName: { needs: 'm10105', to: (a) => `/projectManagement/gatewayPreView?Id=${a.GatewayId}` },
  DeviceName: { needs: 'm10107', to: (a) => `/projectManagement/devicePointList?Id=${a.DeviceId}` },
  ParaName: { needs: 'm10301', to: (a) => `/dataAnalysis/realTimeData?points=${a.ParaId}` },
  OrderNo: { needs: 'm10602', to: (a) => `/maintenanceCenter/repair/repairOrder?Id=${a.OrderId}` },
  AlmRuleName: { needs: 'm10202', to: (a) => `/alarmManagement/alarmRules?q=${encodeURIComponent(String(a.AlmRuleName))}` },
}

/** The next step as a button, the other actions in a menu. */
const Acts = ({ actions: [first, ...rest], title }: { actions: Action[]; title: string }) => {
  const t = useWords()
  const go = useGo()
  const act = ({ to, run }: Action) => (to ? go(to) : run?.())
  if (!first) return null
  const items = rest.map(({ key, label, icon }) => ({ key, label, icon }))
  return (
    <div className="alarm-acts">
      {rest.length > 0 && (
        <Dropdown autoFocus trigger={['click']} menu={{ items, onClick: ({ key }) => act(rest.find((a) => a.key === key)!) }}>
          <Button icon={<MoreOutlined />} aria-label={t('list.more', { title })} />
        </Dropdown>
      )}
      <Button type="primary" icon={first.icon} onClick={() => act(first)}>
        {first.label}
      </Button>
    </div>
  )
}

type Props = { id: number; close: () => void; actions: (alarm: Alarm) => Action[] }

/** Details of an alarm: events, response plan, order, and comments. */
export const AlarmDrawer = ({ id, close, actions }: Props) => {
  const t = useWords()
  const phone = usePhone()
  const { data } = useRow(alarmInfo, id)
  const alarm = data as Alarm | undefined
  const users = useCall(alarmCalls.users)
  const assign = useCommand(alarmCalls.assign, ['alarmInfo'])
  const mayAssign = useMay('m10201.assign')
  const may = useMayCode()
  const named = (alarm: Alarm, name: string) => {
    const target = targets[name]
    return target && may(target.needs) ? <Link to={target.to(alarm)}>{String(alarm[name])}</Link> : String(alarm[name])
  }
  const shown = ['StartTime', 'RecoverTime', 'AckTime', 'HandleTime', 'HandleDesc', 'ShelvedUntil', 'ShelveReason'] as const
  const titles = ['ProjectName', 'GatewayName', 'DeviceName', 'ParaName', 'AlmRuleName', 'FaultCode', 'PlanName', 'OrderNo'] as const
  const fieldOf: Record<(typeof titles)[number], string> = {
    ...{ ProjectName: 'ProjectId', GatewayName: 'GatewayId', DeviceName: 'DeviceId', ParaName: 'ParaId' },
    ...{ AlmRuleName: 'AlmRuleId', FaultCode: 'FaultCodeId', PlanName: 'AlmPlanId', OrderNo: 'OrderId' },
  }
  return (
    <SidePanel
      width={640}
      title={alarm ? alarm.RuleName : ''}
      onClose={close}
      loading={!alarm}
      footer={alarm && <Acts actions={actions(alarm)} title={alarm.RuleName} />}
    >
      {alarm && (
        <div className="alarm-details">
          <div className="alarm-head">
            <AlarmLevel of={alarm} /> <AlarmPriority of={alarm} /> <AlarmState of={alarm} />{' '}
            <span className="figures">{alarm.AlarmDesc}</span>
          </div>
          {alarm.ParaId && <Around alarm={alarm} id={alarm.ParaId} width={phone ? 330 : 590} />}
          <Descriptions
            size="small"
            column={phone ? 1 : 2}
            items={[
              ...titles.flatMap((name) =>
                alarm[name] ? [{ key: name, label: t(`alarmInfo.${fieldOf[name]}`), children: named(alarm, name) }] : [],
              ),
              ...shown.flatMap((name) =>
                alarm[name]
                  ? [
                      {
                        key: name,
                        label: t(`alarmInfo.${name}`),
                        children: [alarm[name], alarm[by[name] ?? '']].filter(Boolean).join(' · '),
                      },
                    ]
                  : [],
              ),
            ]}
          />
          {alarm.ParaId && may('m10125') && <Link to={`/projectManagement/pictures?Point=${alarm.ParaId}`}>{t('point.pictures')}</Link>}
          {alarm.AlmPlanId && <PlanText id={alarm.AlmPlanId} />}
          {alarm.OrderId && <Chain order={{ Id: alarm.OrderId, OrderNo: String(alarm.OrderNo) }} without={['alarm', 'order']} />}
          <OfferedArticles AlmInfoId={id} />
          <div className="rule-words">
            <span>{t('alarmInfo.AssigneeId')}</span>
            <Select<number>
              disabled={!mayAssign}
              allowClear
              showSearch={{ optionFilterProp: 'label' }}
              value={alarm.AssigneeId ?? undefined}
              placeholder={t('alarm.noAssignee')}
              aria-label={t('alarmInfo.AssigneeId')}
              options={(users.data ?? []).map((u) => ({ value: u.Id, label: u.Name }))}
              onChange={(UserId?: number) => assign.mutate({ body: { Ids: [id], UserId: UserId ?? null } })}
              style={{ minWidth: 200 }}
            />
          </div>
          <NearAlarms of={alarm} />
          <Timeline id={id} />
          <Comments id={id} />
        </div>
      )}
    </SidePanel>
  )
}
