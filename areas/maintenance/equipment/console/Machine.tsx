import './machine.css'
import { App, Button, Checkbox, Form, Input, Skeleton } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { FilesInput } from '../../../../console/files/FilesInput.tsx'
import { type Shown, useCall, useRows, useWrite } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { Cell } from '../../../../console/kernel/fields.tsx'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { LiveAge, LiveState, LiveValue } from '../../../../console/live/LiveCells.tsx'
import { withUploads } from '../../../../console/offline/queue.ts'
import { invoke } from '../../../../console/session/request.ts'
import { useMay } from '../../../../console/session/session.ts'
import { DetailHead } from '../../../../console/shell/DetailHead.tsx'
import { Facts } from '../../../../console/theme/Facts.tsx'
import { Level } from '../../../../console/theme/State.tsx'
import { Moment } from '../../../../console/words/moments.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Attachment } from '../../../../contract/field.ts'
import { telemetryCalls } from '../../../../contract/telemetry.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { OfferedArticles } from '../../knowledge-base/console/index.ts'
import { Due } from '../../orders/console/Due.tsx'
import { type Stepping, useSteps } from '../../orders/console/useSteps.tsx'
import { mtnMaintenanceOrder, orderCalls } from '../../orders/contract.ts'
import { mostPhotos, requestCalls } from '../../requests/contract.ts'
import { MyPlanned } from '../../upkeep/console/index.ts'
import { mtnUpKeepOrder, upkeepCalls } from '../../upkeep/contract.ts'
import { equipmentCalls, mtnEquipment } from '../contract.ts'
import { Parts } from './Beside.tsx'

type Equipment = Shown<typeof mtnEquipment>
const work = '/maintenanceCenter/workOrder'
const upkeep = { order: mtnUpKeepOrder, calls: upkeepCalls }
const due = (PlanFinishTime: string) => <Due of={{ PlanFinishTime, IsClosed: 0 }} />

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="panel" aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
)

/** Link to the full list when this page shows only its beginning. */
const More = ({ count, to }: { count: number; to: string }) => {
  const t = useWords()
  return count > 0 ? <Link to={to}>{t('machine.more', { count })}</Link> : null
}

type Report = { Desc: string; Stopped?: boolean; Files?: Attachment[] }
const ReportDialog = ({ of, close }: { of: Equipment; close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const send = useWrite(
    [mtnMaintenanceOrder.name],
    async ({ Desc, Stopped, Files = [] }: Report) =>
      invoke(requestCalls.reportHere, {
        body: await withUploads({ Id: of.Id, Desc, Stopped: Stopped ? (1 as const) : (0 as const), Files }),
      }),
    { meta: { quiet: true } },
  )
  const submit = (values: Report) =>
    send.mutate(values, {
      onSuccess: ({ OrderNo }) => {
        message.success(t('machine.reported', { title: OrderNo }))
        close()
      },
    })
  return (
    <FormDialog<Report>
      title={`${t('machine.report')}: ${of.EquipmentName}`}
      okText={t('machine.report')}
      sending={send}
      submit={submit}
      close={close}
    >
      <Form.Item name="Desc" label={t('machine.what')} rules={[{ required: true, whitespace: true, message: t('fault.field.required') }]}>
        <Input.TextArea maxLength={500} autoSize={{ minRows: 3, maxRows: 8 }} />
      </Form.Item>
      <Form.Item name="Stopped" valuePropName="checked">
        <Checkbox>{t('machine.stopped')}</Checkbox>
      </Form.Item>
      <Form.Item name="Files" label={t('mtnMaintenanceOrder.Files')}>
        <FilesInput most={mostPhotos} photos />
      </Form.Item>
    </FormDialog>
  )
}

/** The user's next repair of the machine with its next step, and the user's upkeep orders for it. */
type Of = { DeviceId: number } | { EquipmentId: number }
const Next = ({ of, machine }: { of: Of; machine: Equipment }) => {
  const t = useWords()
  const steps = useSteps()
  const { data } = useCall(orderCalls.mine, { query: { ...of, PageSize: 1 }, of: [mtnMaintenanceOrder.name] })
  const order = data?.Items[0] as (Stepping & { Steps: Parameters<typeof steps.begin>[1][] }) | undefined
  const step = order?.Steps.find((name) => name !== 'comment' && name !== 'handOver')
  return (
    <Section title={t('machine.next')}>
      {data && !order && <p className="soft">{t('machine.noNext')}</p>}
      {order && (
        <p>
          <Link to={`${work}?Id=${order.Id}`}>{order.Title}</Link>{' '}
          <Due of={{ PlanFinishTime: order.PlanFinishTime ?? null, IsClosed: 0 }} />
        </p>
      )}
      {order && step && (
        <Button className="order-big" type="primary" block loading={steps.busy === order.Id} onClick={() => steps.begin(order, step)}>
          {t(`order.step.${step}`)}
        </Button>
      )}
      <MyPlanned of={upkeep} due={due} machine={machine} />
      {steps.dialog}
    </Section>
  )
}

const Orders = ({ of }: { of: Of }) => {
  const t = useWords()
  const { data } = useRows(mtnMaintenanceOrder, { PageIndex: 1, PageSize: 5, ...of })
  return (
    <Section title={t('machine.last')}>
      {data?.Items.length === 0 && <p className="soft">{t('machine.noLast')}</p>}
      <ul className="machine-list">
        {data?.Items.map((order) => (
          <li key={order.Id}>
            <Link to={`${work}?Id=${order.Id}`}>{order.Title}</Link>
            <span className="soft">
              {t(`mtnMaintenanceOrder.Status.${order.Status}`)} · {order.ReportTime && <Moment time={order.ReportTime} />}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Maximum rows on a phone before a link to the rest. */
const [mostAlarms, mostValues] = [20, 100]

const Alarms = ({ device }: { device: number }) => {
  const t = useWords()
  const { data } = useRows(alarmInfo, { PageIndex: 1, PageSize: mostAlarms, DeviceId: device, IsActive: 1 })
  return (
    <Section title={t('machine.alarms')}>
      {data?.Items.length === 0 && <p className="soft">{t('machine.noAlarms')}</p>}
      <ul className="machine-list">
        {data?.Items.map((alarm) => (
          <li key={alarm.Id}>
            <Link to={`/alarmManagement/alarmInfo?alarm=${alarm.Id}`}>
              <Level is={alarm.AlarmLevel}>{alarm.RuleName}</Level>
            </Link>
            <span className="soft">{alarm.StartTime && <Moment time={alarm.StartTime} />}</span>
          </li>
        ))}
      </ul>
      <More count={(data?.TotalCount ?? 0) - mostAlarms} to={`/alarmManagement/alarmInfo?DeviceId=${device}`} />
    </Section>
  )
}

const Values = ({ device }: { device: number }) => {
  const t = useWords()
  const mayList = useMay('m10107')
  const { data } = useCall(telemetryCalls.paraInfo, { query: { DeviceIds: String(device) }, of: ['point'] })
  return (
    <Section title={t('machine.values')}>
      {data?.length === 0 && <p className="soft">{t('machine.noValues')}</p>}
      <ul className="machine-list">
        {data?.slice(0, mostValues).map((point) => (
          <li key={point.ParaId} className="machine-value">
            <span>{point.ParaName}</span>
            <span>
              <LiveValue point={point} /> <LiveState point={point} /> <LiveAge point={point} />
            </span>
          </li>
        ))}
      </ul>
      {mayList && <More count={(data?.length ?? 0) - mostValues} to={`/projectManagement/devicePointList?Id=${device}`} />}
    </Section>
  )
}

const facts = ['ProjectId', 'Location', 'EquipmentNo', 'Maker', 'Model', 'SerialNo', 'WarrantyUntil', 'Criticality'] as const
const Whole = ({ of }: { of: Equipment }) => {
  const t = useWords()
  const [reporting, report] = useState(false)
  const may = {
    ...{
      orders: useMay('m10601'),
      work: useMay('m10601.work'),
      alarms: useMay(alarmInfo.permission),
      values: useMay(telemetryCalls.paraInfo.permission),
    },
    parts: useMay('m10607'),
  }
  const { DeviceId } = of
  const orders = DeviceId === null ? { EquipmentId: of.Id } : { DeviceId }
  const known = facts.filter((name) => of[name] != null && of[name] !== '')
  const action = may.work && (
    <Button className="order-big" block onClick={() => report(true)}>
      {t('machine.report')}
    </Button>
  )
  return (
    <article className="page machine-page">
      <DetailHead name={of.EquipmentName} state={null} belongs={String(of.ProjectName ?? '')} figures={[]} actions={action} />
      {may.work && <Next of={orders} machine={of} />}
      {DeviceId !== null && may.alarms && <Alarms device={DeviceId} />}
      {DeviceId !== null && may.values && <Values device={DeviceId} />}
      {may.orders && <Orders of={orders} />}
      <OfferedArticles EquipmentId={of.Id} />
      {DeviceId !== null && may.parts && <Parts device={DeviceId} />}
      <Section title={t('machine.about')}>
        <Facts
          of={known.map((key) => ({ key, label: t(`mtnEquipment.${key}`), value: <Cell of={mtnEquipment} field={key} row={of} /> }))}
          lines
        />
      </Section>
      {reporting && <ReportDialog of={of} close={() => report(false)} />}
    </article>
  )
}

/** Overview of a machine on one page. The QR code on its label opens it. */
const Machine = () => {
  const t = useWords()
  const id = Number(useSearchParams()[0].get('Id')) || 0
  const { data, error, refetch } = useCall(equipmentCalls.machine, { query: { Id: id }, of: [mtnEquipment.name], enabled: id > 0 })
  if (data) return <Whole key={id} of={data as Equipment} />
  if (!id) return <EmptyList text={t('machine.scan')} />
  if (error?.status === 404) return <EmptyList text={t('machine.gone')} />
  return <article className="page">{error ? <Failure fault={error} retry={() => refetch()} /> : <Skeleton active />}</article>
}
export default Machine
