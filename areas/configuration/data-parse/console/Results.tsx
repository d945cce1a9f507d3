import { Table } from 'antd'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import type { Fault } from '../../../../console/session/request.ts'
import { State } from '../../../../console/theme/State.tsx'
import { none, numberText, timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { listedReadings, type Tested } from '../contract.ts'

type Reading = Tested['Readings'][number] & { Id: number }
type Props = { of: Tested | undefined; fault: Fault | null; hasFaults: boolean }

/** Result of parsing the sample: readings, readings without a point, and errors. */
export const Results = ({ of, fault, hasFaults }: Props) => {
  const t = useWords()
  if (hasFaults) return <p className="soft">{t('dataParse.mend')}</p>
  if (!of) return fault ? <Failure fault={fault} /> : <p className="soft">{t('dataParse.noSample')}</p>
  const withGateway = of.Found !== null
  const rows = of.Readings.map((reading, i) => ({ ...reading, Id: i }))
  return (
    <div className="stack" aria-live="polite">
      <p>
        {t('dataParse.count', { count: of.Count })}
        {withGateway && ` · ${t('dataParse.found', { count: of.Found ?? 0 })}`}
        <span className="soft"> · {t('dataParse.took', { ms: numberText(of.Milliseconds, 2, language()) })}</span>
      </p>
      {of.Faults.length > 0 && (
        <ul className="parse-faults">
          {of.Faults.map((found, i) => (
            <li key={`${i} ${found.Reason}`}>
              <State is={found.Reason === 'nothing' ? 'notice' : 'warning'}>
                {found.Rule !== null && `${t('dataParse.rule', { number: found.Rule })}: `}
                {t(`parse.fault.${found.Reason}`)}
                {found.Text && <code> {found.Text}</code>}
              </State>
            </li>
          ))}
        </ul>
      )}
      {of.Count > 0 && (
        <Table<Reading>
          size="small"
          rowKey="Id"
          dataSource={rows}
          scroll={{ x: 'max-content' }}
          pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
          columns={[
            { key: 'device', title: t('parse.Device'), render: (_, row) => row.Device || t('parse.from.sender') },
            { key: 'key', title: t('parse.Key'), dataIndex: 'Key' },
            {
              key: 'value',
              title: t('parse.Value'),
              align: 'right',
              render: (_, row) => <span className="figures">{numberText(row.Value, 0, language(), 6)}</span>,
            },
            {
              key: 'time',
              title: t('parse.Time'),
              render: (_, row) => <span className="figures">{row.Time === null ? t('parse.arrival') : timeText(row.Time)}</span>,
            },
            ...(withGateway
              ? [
                  {
                    key: 'point',
                    title: t('point'),
                    render: (_: unknown, row: Reading) =>
                      row.ParaId === null ? (
                        <State is="warning">{t('dataParse.noPoint')}</State>
                      ) : (
                        <span className="figures">{row.ParaId ?? none}</span>
                      ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {of.Count > listedReadings && <p className="soft">{t('dataParse.listed', { count: listedReadings })}</p>}
    </div>
  )
}
