import { App } from 'antd'
import { useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type Gateway, gatewayCalls } from '../contract.ts'
import { FirstKey } from './Enrolment.tsx'
import { LabelFields } from './LabelFields.tsx'
import type { Label } from './label.ts'

type Entered = Pick<Label, 'SN'> & { Code?: string }

/** Gives a gateway another box, which then needs its key. */
const ReplaceDialog = ({ row: { Id, GatewayName, SN }, close }: { row: Gateway; close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const mayKey = useMay('m10102.resetKey')
  const replace = useCommand(gatewayCalls.replace, ['gateway', 'gatewaySn', 'device'], { meta: { quiet: true } })
  const [isReplaced, setReplaced] = useState(false)
  if (isReplaced && mayKey) return <FirstKey row={{ Id }} close={close} />
  return (
    <FormDialog<Entered>
      title={t('gateway.replace', { name: GatewayName })}
      okText={t('button.replace')}
      sending={replace}
      submit={({ Code, ...label }) =>
        replace.mutate(
          { body: { Id, ...label, ...(Code ? { Code } : {}) } },
          {
            onSuccess: () => {
              message.success(t('gateway.replace.done', { name: GatewayName }), 6)
              if (mayKey) setReplaced(true)
              else close()
            },
          },
        )
      }
      close={close}
    >
      <div className="stack form-summary">
        <p>{t('gateway.replace.text')}</p>
        {SN && <p className="soft">{t('gateway.replace.old', { SN })}</p>}
      </div>
      <LabelFields />
    </FormDialog>
  )
}
export default ReplaceDialog
