// Parts of the guide that connects a machine.
import { CheckCircleFilled, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { type Shown, useRow, useRows } from '../../../../console/kernel/api.ts'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { type FormProps, ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { lower, useWords } from '../../../../console/words/words.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { device as deviceOf } from '../../devices/contract.ts'
import { proModel } from '../../models/contract.ts'
import { project as projectOf } from '../../projects/contract.ts'
import { gateway as gatewayOf } from '../contract.ts'
import Enrolment from './Enrolment.tsx'

const ApplyModel = lazyScreen(() => import('../../models/console/ApplyModel.tsx'), null)

/** `OnlineStatus` of a gateway that is connected. */
export const online = 1

/** The rows to choose from. A single row is preselected. */
const useChoices = (r: Resource, where: Record<string, unknown>, enabled: boolean, chosen: boolean, choose: (id: number) => void) => {
  const { data, isPlaceholderData } = useRows(r, { PageIndex: 1, PageSize: 50, ...where }, { enabled })
  const only = enabled && !isPlaceholderData && data?.TotalCount === 1 ? data.Items[0]!.Id : undefined
  useEffect(() => {
    if (only && !chosen) choose(only)
  })
  return enabled && !isPlaceholderData ? data : undefined
}

type StepProps = { at: number; title: string; done: string | false; open: boolean; children: ReactNode }
export const Step = ({ at, title, done, open, children }: StepProps) => (
  <li className={`panel connect-step ${open || done ? '' : 'connect-later'}`} aria-current={open && !done ? 'step' : undefined}>
    <h2>
      {done ? <CheckCircleFilled className="connect-done" aria-hidden /> : <span className="connect-at">{at}</span>} {title}
      {done && <span className="soft connect-what">{done}</span>}
    </h2>
    {open && children}
  </li>
)

type AddProps = Pick<FormProps, 'of' | 'fixed' | 'onAdded' | 'refine' | 'inputs' | 'below'> & { plain?: boolean; begin?: boolean }
/** A button that opens the form for a new record. `begin` opens it right away, after the previous step. */
export const Add = ({ plain = false, begin = false, ...form }: AddProps) => {
  const t = useWords()
  const [isOpen, setOpen] = useState(begin)
  const may = useMay(`${form.of.permission}.add`)
  if (!may) return null
  return (
    <>
      <Button type={plain ? 'default' : 'primary'} icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        {t('list.add', { thing: lower(t(form.of.name)) })}
      </Button>
      {isOpen && <ResourceForm {...form} close={() => setOpen(false)} />}
    </>
  )
}

type ChoiceProps = { to: Resource; value: number | undefined; choose: (id: number) => void; where?: Record<string, number | undefined> }
/** Chooses a record that exists. */
export const Choice = ({ to, value, choose, where = {} }: ChoiceProps) => {
  const t = useWords()
  return (
    <RefInput
      to={to}
      value={value ?? null}
      onChange={(next) => next && choose(next)}
      where={where}
      allowClear={false}
      aria-label={t(to.name)}
      placeholder={t('connect.choose')}
      style={{ width: 320, maxWidth: '100%' }}
    />
  )
}

export const ProjectStep = ({ id, choose }: { id: number | undefined; choose: (id: number, isNew?: true) => void }) => {
  const t = useWords()
  const found = useChoices(projectOf, {}, true, id !== undefined, choose)
  return (
    <>
      {found?.TotalCount === 0 && <p>{t('connect.project')}</p>}
      <div className="connect-choice">
        {(found?.TotalCount ?? 0) > 0 && <Choice to={projectOf} value={id} choose={choose} />}
        <Add of={projectOf} plain={(found?.TotalCount ?? 0) > 0} onAdded={({ Id }) => choose(Id, true)} />
      </div>
    </>
  )
}

type GatewayProps = { id: number | undefined; projectId: number; begin: boolean; choose: (id: number) => void }
export const GatewayStep = ({ id, projectId, begin, choose }: GatewayProps) => {
  const t = useWords()
  const mayReset = useMay('m10102.resetKey')
  const [fresh, setFresh] = useState<number>()
  const [isAsked, ask] = useState(false)
  const where = { ProjectId: projectId }
  const found = useChoices(gatewayOf, where, true, id !== undefined, choose)
  const { data: gateway } = useRow(gatewayOf, id)
  return (
    <>
      <div className="connect-choice">
        {(found?.TotalCount ?? 0) > 0 && <Choice to={gatewayOf} value={id} choose={choose} where={where} />}
        <Add
          of={gatewayOf}
          fixed={where}
          plain={id !== undefined}
          begin={begin}
          onAdded={({ Id }) => {
            choose(Id)
            setFresh(Id)
          }}
        />
      </div>
      {gateway && gateway.OnlineStatus !== online && (
        <p className="connect-wait" role="status">
          {t('connect.waitGateway', { name: gateway.GatewayName })}{' '}
          {mayReset && (
            <Button type="link" size="small" onClick={() => ask(true)}>
              {t('connect.key')}
            </Button>
          )}
        </p>
      )}
      {fresh && mayReset && <Enrolment row={{ Id: fresh }} fresh close={() => setFresh(undefined)} />}
      {isAsked && id && <Enrolment row={{ Id: id }} close={() => ask(false)} />}
    </>
  )
}

/** Offers the points of the device's model until the device has its published version. */
export const ModelOffer = ({ device }: { device: Shown<typeof deviceOf> }) => {
  const t = useWords()
  const [isOpen, setOpen] = useState(false)
  const may = useMay('m10110.apply')
  const { data: model } = useRow(proModel, device.ModelId ?? undefined)
  if (!model || !may || (device.ModelVersion ?? 0) >= model.Version) return null
  return (
    <p className="connect-model">
      {t('connect.model', { name: model.ModelName, version: model.Version })}
      <Button type="primary" onClick={() => setOpen(true)}>
        {t('connect.apply')}
      </Button>
      {isOpen && <ApplyModel row={model} devices={[device.Id]} close={() => setOpen(false)} />}
    </p>
  )
}
