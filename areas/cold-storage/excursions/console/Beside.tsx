import { Modal } from 'antd'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import type { DialogProps } from '../../../../console/kernel/plainScreens.ts'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { Facts } from '../../../../console/theme/Facts.tsx'
import { numberText, timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { coldFigureCalls } from '../../figures/contract.ts'
import type { coldExcursion } from '../contract.ts'

const kinds = ['Door', 'PowerCut', 'Defrost', 'Compressor'] as const

/** Door, power, defrost and compressor states before and during an excursion. */
const Beside = ({ row, close }: DialogProps<typeof coldExcursion>) => {
  const t = useWords()
  const { data, error, refetch } = useCall(coldFigureCalls.beside, { query: { Id: row.Id }, of: ['coldSensorBind'] })
  const bound = kinds.flatMap((kind) => {
    const of = data?.[kind]
    return of ? [{ kind, of }] : []
  })
  return (
    <Modal open title={t('cold.beside')} footer={null} onCancel={close}>
      {error ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : !data ? (
        <Waiting />
      ) : (
        <div className="stack-tight">
          <p className="soft">{t('cold.beside.window', { from: timeText(data.Start), to: timeText(data.End) })}</p>
          {bound.length ? (
            <Facts
              lines
              of={bound.map(({ kind, of: { Count, TotalS } }) => ({
                ...{ key: kind, label: t(`cold.paper.${kind}`) },
                value: Count
                  ? t('cold.beside.times', { count: Count, minutes: numberText(TotalS / 60, 0, language()) })
                  : t('cold.beside.not'),
              }))}
            />
          ) : (
            <p>{t('cold.beside.none')}</p>
          )}
        </div>
      )}
    </Modal>
  )
}
export default Beside
