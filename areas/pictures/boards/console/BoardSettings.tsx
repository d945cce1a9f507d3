import { Button, Checkbox, Form, Modal, Select } from 'antd'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type BoardContent, boardRanges, variables } from '../contract.ts'
import { variableResources } from './BoardBar.tsx'

type Props = { content: BoardContent; change: (content: BoardContent) => void; close: () => void }

/** Settings of the board: its initial time range, and the choices of viewers. */
export const BoardSettings = ({ content, change, close }: Props) => {
  const t = useWords()
  const of = (name: string) => content.Variables.find(({ Name }) => Name === name)
  const others = (name: string) => content.Variables.filter(({ Name }) => Name !== name)
  return (
    <Modal open title={t('board.settings')} onCancel={close} footer={<Button onClick={close}>{t('close')}</Button>}>
      <Form layout="vertical">
        <Form.Item label={t('trend.range')} htmlFor="board-range">
          <Select
            id="board-range"
            value={content.Range}
            options={boardRanges.map((value) => ({ value, label: t(`span.${value}`) }))}
            onChange={(Range) => change({ ...content, Range })}
          />
        </Form.Item>
        <p className="soft">{t('board.variablesHelp')}</p>
        {variables.map((Name) => (
          <div key={Name} className="board-variable">
            <Checkbox
              checked={Boolean(of(Name))}
              onChange={({ target }) =>
                change({
                  ...content,
                  Variables: target.checked ? variables.flatMap((one) => (one === Name ? { Name } : (of(one) ?? []))) : others(Name),
                })
              }
            >
              {t(variableResources[Name].name)}
            </Checkbox>
            {of(Name) && (
              <RefInput
                to={variableResources[Name]}
                value={of(Name)?.Id ?? null}
                placeholder={t('board.atFirst')}
                aria-label={`${t(variableResources[Name].name)}: ${t('board.atFirst')}`}
                onChange={(Id) =>
                  change({ ...content, Variables: content.Variables.map((v) => (v.Name === Name ? { Name, ...(Id && { Id }) } : v)) })
                }
              />
            )}
          </div>
        ))}
      </Form>
    </Modal>
  )
}
