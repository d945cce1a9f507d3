/** Letters with marks in both cases, then what is left out altogether; and the letters that people type for them. */
export const foldFrom = 'áàâäãåāăąéèêëēėęíìîïīóòôöõōøúùûüūůñńçćčšśžźżýÿÁÀÂÄÃÅĀĂĄÉÈÊËĒĖĘÍÌÎÏĪÓÒÔÖÕŌØÚÙÛÜŪŮÑŃÇĆČŠŚŽŹŻÝŸ-_ ./\\%,·:()・　'
export const foldTo = 'aaaaaaaaaeeeeeeeiiiiiooooooouuuuuunncccsszzzyyaaaaaaaaaeeeeeeeiiiiiooooooouuuuuunncccsszzzyy'

const letters = new Map([...foldFrom].map((letter, i) => [letter, foldTo[i] ?? '']))
/** A text without case, accents, hyphens and spaces. The server folds columns with the same table. */
export const fold = (text: string): string =>
  [...text.normalize('NFC')]
    .map((letter) => letters.get(letter) ?? letter)
    .join('')
    .toLowerCase()
