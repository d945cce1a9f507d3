const files = import.meta.glob<Record<string, string>>(
  [
    '../words.ja.json',
    '../../*/words.ja.json',
    '../../kernel/*/words.ja.json',
    '../../../areas/*/*/words/ja.json',
    '../../../contract/words/*.ja.json',
  ],
  { eager: true, import: 'default' },
)
export default Object.assign({}, ...Object.values(files)) as Record<string, string>
