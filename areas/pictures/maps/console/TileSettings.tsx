import { Button } from 'antd'
import { useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { SettingsForm } from '../../../../console/kernel/SettingsForm.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { mapCalls, mapTiles } from '../contract.ts'

/** Tests the saved map server. */
const Test = () => {
  const t = useWords()
  const [outcome, setOutcome] = useState<string>()
  const test = useCommand(mapCalls.testTiles, [], { meta: { quiet: true } })
  const ask = () => test.mutate({ body: {} }, { onSuccess: ({ Problem }) => setOutcome(Problem ?? 'ok') })
  return (
    <div className="stack-tight">
      <Button loading={test.isPending} onClick={ask}>
        {t('map.test')}
      </Button>
      {test.error && <Failure fault={test.error} />}
      <p role="status">{outcome && !test.isPending && t(`map.test.${outcome}`)}</p>
    </div>
  )
}

/** The map server of the caller's company. */
const TileSettings = () => {
  const t = useWords()
  return (
    <section>
      <p className="soft">{t('map.tileHelp')}</p>
      <SettingsForm of={mapTiles} after={() => <Test />} />
    </section>
  )
}
export default TileSettings
