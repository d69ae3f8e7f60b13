// SPDX-License-Identifier: BSD-3-Clause
// The state that addresses store. A table has a field for each piece of state: its name in the
// address, functions that parse and format it, and its default value, which is left out of
// addresses. Addresses come from untrusted sources, so a text that is too long or invalid is
// replaced by the default.

/** The longest address that is written. The server accepts requests with a head of 16 kB. */
const LONGEST = 12000;
/** The longest text of a field, unless the field says otherwise. */
const TEXT = 1000;
/** The server accepts times below this, in ns. */
export const TIME_LIMIT = 2 ** 61;
const ITEMS = 500;

/**
 * A field of a table. `label` is its name for the user. The browser also stores a field that is
 * `remembered`. If such a field is missing in the address, the stored value applies, so the field
 * is null at first; a copied link always contains it. `also` is another name, which older links
 * use.
 * @template Value
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {Value} usual
 * @property {(text: string) => Value | null} parse Returns null if the text is invalid.
 * @property {(value: NonNullable<Value>, state: Record<string, unknown>) => string} format
 * @property {boolean} [remembered]
 * @property {string} [also]
 * @property {number} [longest]
 */

/**
 * A field whose value is one of several texts. Any other text is replaced by the default.
 * @template {string} Choice
 * @param {string} name
 * @param {string} label
 * @param {readonly Choice[]} choices
 * @param {Choice} usual
 * @returns {Field<Choice>}
 */
export function choiceField(name, label, choices, usual) {
  const parse = (/** @type {string} */ text) => choices.find((each) => each === text) ?? null;
  return { name, label, usual, parse, format: String };
}

/**
 * @param {string} name
 * @param {string} label
 * @param {boolean} usual
 * @returns {Field<boolean>}
 */
export function flagField(name, label, usual) {
  const parse = (/** @type {string} */ text) => (text === "1" ? true : text === "0" ? false : null);
  return { name, label, usual, parse, format: (value) => (value ? "1" : "0") };
}

/**
 * @param {string} name
 * @param {string} label
 * @param {RegExp} [pattern] What the text must match.
 * @returns {Field<string>}
 */
export function textField(name, label, pattern = /(?:)/) {
  const parse = (/** @type {string} */ text) => (pattern.test(text) ? text : null);
  return { name, label, usual: "", parse, format: String };
}

/**
 * A number, or null if the text is none or is not within the limits.
 * @param {string} text
 * @param {number} least
 * @param {number} most
 */
export function numberOf(text, least, most) {
  const value = /^-?\d+(\.\d*)?(e\+?\d+)?$/i.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : null;
}

/**
 * A number with as many decimals.
 * @param {string} name
 * @param {string} label
 * @param {number} least
 * @param {number} most
 * @param {number} digits
 * @returns {Field<number>}
 */
export function numberField(name, label, least, most, digits = 0) {
  const parse = (/** @type {string} */ text) => {
    const value = numberOf(text, least, most);
    return digits === 0 && !Number.isInteger(value) ? null : value;
  };
  const format = (/** @type {number} */ value) => String(Number(value.toFixed(digits)));
  return { name, label, usual: least, parse, format };
}

/**
 * A time in ns, or null.
 * @param {string} name
 * @param {string} label
 * @returns {Field<number | null>}
 */
export function timeField(name, label) {
  const parse = (/** @type {string} */ text) => numberOf(text, -TIME_LIMIT, TIME_LIMIT);
  return { name, label, usual: null, parse, format: (value) => String(Math.round(value)) };
}

/**
 * The items of a list that are separated by commas. Items for which `parse` returns null are left
 * out.
 * @template Item
 * @param {string} text
 * @param {(text: string) => Item | null} parse
 * @returns {Item[]}
 */
export function itemsOf(text, parse) {
  const items = text.split(",", ITEMS).map((each) => parse(each));
  return /** @type {Item[]} */ (items.filter((item) => item !== null));
}

/**
 * @template Item
 * @param {string} name
 * @param {string} label
 * @param {(text: string) => Item | null} parse
 * @param {(item: Item) => string} [format]
 * @returns {Field<Item[]>}
 */
export function listField(name, label, parse, format = String) {
  return {
    name,
    label,
    usual: [],
    parse: (text) => itemsOf(text, parse),
    format: (items) => items.map((item) => format(item)).join(","),
    longest: 6000,
  };
}

/**
 * Escapes a text for a list, in which commas separate items.
 * @param {string} text
 */
export function itemText(text) {
  return text.replace(/[%,*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

/**
 * Reverses itemText(). Returns null if the text is not well-formed.
 * @param {string} text
 */
export function parseItemText(text) {
  try {
    return text === "" ? null : decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * The table of a page's address, or of a part of it.
 * @template {object} State
 */
export class AddressTable {
  /** @param {{ [Name in keyof State]: Field<State[Name]> }} fields */
  constructor(fields) {
    /** @type {[key: keyof State & string, field: Field<unknown>][]} */
    this.fields = Object.entries(fields).map(([key, field]) => [
      /** @type {keyof State & string} */ (key),
      /** @type {Field<unknown>} */ (field),
    ]);
    tables.push(/** @type {AddressTable<object>} */ (/** @type {unknown} */ (this)));
  }

  /**
   * The state in an address.
   * @param {string} search
   * @returns {State}
   */
  parse(search) {
    const query = new URLSearchParams(search);
    const state = this.fields.map(([key, field]) => [key, fieldValue(field, query)]);
    return Object.fromEntries(state);
  }

  /** The names of the parameters. */
  names() {
    return this.fields.flatMap(([, { name, also }]) => (also ? [name, also] : [name]));
  }

  /**
   * Adds the parameters of a state to a query. A value that equals its default is added only if the
   * field is remembered and the address must be complete. Returns the labels of the values that
   * were too long.
   * @param {State} state
   * @param {URLSearchParams} query
   */
  write(state, query, complete = false) {
    const tooLong = [];
    let room = LONGEST - query.toString().length;
    for (const [key, field] of this.fields) {
      const text = fieldText(field, /** @type {Record<string, unknown>} */ (state), key, complete);
      if (text === null) continue;
      const { length } = new URLSearchParams({ [field.name]: text }).toString();
      if (text.length > (field.longest ?? TEXT) || length >= room) tooLong.push(field.label);
      else {
        query.set(field.name, text);
        room -= length + 1;
      }
    }
    return tooLong;
  }
}

/**
 * All tables of the page, from which tests find out what an address stores.
 * @type {AddressTable<object>[]}
 */
export const tables = [];

/**
 * @param {Field<unknown>} field
 * @param {URLSearchParams} query
 */
function fieldValue({ name, also, usual, parse, remembered, longest = TEXT }, query) {
  const text = query.get(name) ?? (also ? query.get(also) : null);
  const value = text === null || text.length > longest ? null : parse(text);
  if (value !== null) return value;
  return remembered ? null : structuredClone(usual);
}

/**
 * The text of a field, or null if the field is left out.
 * @param {Field<unknown>} field
 * @param {Record<string, unknown>} state
 * @param {string} key
 * @param {boolean} complete
 */
function fieldText({ usual, format, remembered }, state, key, complete) {
  const value = state[key];
  if (value === null || value === undefined) return null;
  const text = format(value, state);
  const isUsual = usual !== null && usual !== undefined && text === format(usual, state);
  return isUsual && !(remembered && complete) ? null : text;
}

/**
 * The query as it is written into the address. Characters that need no escape are not escaped,
 * which keeps addresses legible.
 * @param {URLSearchParams} query
 */
export function queryText(query) {
  const text = query.toString();
  const legible = text.replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%40", "@");
  return text === "" ? "" : `?${legible}`;
}
